# `make` sets up .venv, checks the registry, generates, and builds the site. `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := all
MAKEFLAGS += --no-print-directory

BIN := .venv/bin
VERIFY := .venv-verify/bin

# Sources of the site. Folders are listed too, so that a deleted file counts as a change, but not `site` itself, which
# is the name of a target.
SITE_SOURCES := mkdocs.yml mkdocs.zh.yml \
	CHANGELOG.md CHANGELOG.zh.md \
	$(shell find site/* mappings facts templates generator examples evidence runs -not -name '*.pyc' -not -name __pycache__ -not -name '.*')

INSTALL_BROWSER := apt-get install -y --no-install-recommends chromium fontconfig fonts-noto-cjk

export NO_MKDOCS_2_WARNING := 1

# Installs what constraints.txt names. Not exported: an installation that a test tries out is one of somebody else.
INSTALL := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1

.PHONY: all check generate site serve test browser test-verify verify lint format bench clean help

all: site  ## check the registry, generate, build the site (the default)
	@entries=$$(find mappings -name '*.yaml' | wc -l); \
	pages=$$(find build/site/en build/site/zh -name index.html | wc -l); \
	printf '\nMade from %s entries:\n' $$((entries)); \
	printf '  %-24s %s\n' adapter/torchspore/ 'the adapter package' \
	  build/site/ "the site, $$((pages)) pages in Chinese and English"; \
	printf 'Next:\n'; \
	printf '  %-44s %s\n' 'make serve' 'look at the site on this machine' \
	  '$(BIN)/mapspore show dist.all_gather' 'ask for one API' \
	  '$(BIN)/mapspore new torch.sinc' 'start an entry (see CONTRIBUTING.md)' \
	  'make test' 'run all tests; installs torch and MindSpore'

check: $(BIN)/.docs  ## check the registry
	@$(BIN)/mapspore check

generate: check  ## write everything that is generated from the registry
	@$(BIN)/mapspore generate

site: generate  ## build the bilingual site into build/site
	@$(MAKE) -s build/.site

# Both languages side by side. Plain --strict: with -q mkdocs lets faults pass.
build/.site: $(SITE_SOURCES) $(BIN)/.docs
	@mkdir -p build/site
	@$(BIN)/mkdocs build --strict -f mkdocs.yml > build/site-en.log 2>&1 & english=$$!; \
	$(BIN)/mkdocs build --strict -f mkdocs.zh.yml > build/site-zh.log 2>&1; chinese=$$?; \
	wait $$english && [ $$chinese = 0 ] || { cat build/site-en.log build/site-zh.log; exit 1; }
	@$(BIN)/python -m mapspore.pages.site.link_check build/site
	@touch $@

serve: site  ## serve the built site on this machine
	@echo 'The site is at http://localhost:8000/ until you press Ctrl-C.'
	@$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory build/site > /dev/null 2>&1

test: $(BIN)/.dev browser  ## run all tests; sets up .venv-verify with torch and MindSpore
	$(BIN)/python -m pytest -n auto --dist loadfile -m 'not frameworks'
	@$(MAKE) test-verify

browser:  ## install Chromium and a Chinese font for the tests of the site, where they are missing (Debian, as root)
	@if command -v chromium > /dev/null && fc-list :lang=zh 2> /dev/null | grep -q .; then exit 0; fi; \
	if command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo 'Installing Chromium and a Chinese font ...'; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(INSTALL_BROWSER) > /dev/null; \
	else \
	  echo 'error: the tests of the site need Chromium and a Chinese font.' >&2; \
	  echo '  hint: on Debian and Ubuntu: sudo $(INSTALL_BROWSER)' >&2; \
	  exit 1; \
	fi

test-verify: $(VERIFY)/.installed  ## run the tests that need torch and MindSpore
	GLOG_v=3 $(VERIFY)/python -m pytest -n 2 --dist loadfile -m frameworks

verify: $(VERIFY)/.installed  ## run every entry beside torch at 2, 3 and 4 ranks, and write evidence/ and runs/
	GLOG_v=3 $(VERIFY)/mapspore verify
	GLOG_v=3 $(VERIFY)/mapspore record

lint: $(BIN)/.dev  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy site/hook.py

format: $(BIN)/.dev  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(BIN)/.dev $(VERIFY)/.installed browser  ## measure the generator on synthetic registries, the adapter against raw calls
	$(BIN)/python bench/bench.py

clean:  ## remove environments and everything built
	rm -rf .venv .venv-verify build dist adapter/dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find generator adapter tests bench site -name __pycache__ -prune -exec rm -rf {} +

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

# Environments. A stamp in each says which of our dependencies are in it.
$(BIN)/.docs: pyproject.toml constraints.txt
	@$(call create,.venv)
	@echo 'Installing into .venv ...'
	@$(INSTALL) $(BIN)/pip install -qq -e '.[docs]'
	@touch $@

# The adapter without its NumPy: nothing in this environment computes.
$(BIN)/.dev: $(BIN)/.docs adapter/pyproject.toml
	@$(INSTALL) $(BIN)/pip install -qq -e '.[docs,dev,browser]'
	@$(INSTALL) $(BIN)/pip install -qq --no-deps -e adapter
	@touch $@

$(VERIFY)/.installed: pyproject.toml adapter/pyproject.toml constraints.txt
	@$(call create,.venv-verify)
	@echo 'Installing torch and MindSpore into .venv-verify; this takes some minutes and about 4 GB ...'
	@$(INSTALL) $(VERIFY)/pip install -qq -e '.[verify,dev]' -e adapter
	@touch $@

# Creates an environment with the first Python that can: 3.11 or 3.12, with the venv module.
define create
if [ ! -x $(1)/bin/python ]; then \
  for python in "$(PYTHON)" python3.11 python3.12 python3 python; do \
    [ -n "$$python" ] || continue; \
    if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' 2> /dev/null; then \
      echo "Creating $(1) with $$("$$python" --version) ..."; \
      exec "$$python" -m venv $(1); \
    fi; \
  done; \
  echo 'error: no Python 3.11 or 3.12 with the venv module was found.' >&2; \
  echo '  hint: install one (on Debian and Ubuntu: python3 and python3-venv), or name it: make PYTHON=/path/to/python3.11' >&2; \
  exit 1; \
fi
endef
