// What the pages do beside reading: the language switch keeps its place, the index filters, the home page looks up.
"use strict";

// One spelling for what is typed and what is there: no case, no difference between `all_gather` and `allgather`.
const squashed = (text) => text.toLowerCase().replace(/[\s_.\-]+/g, "");
const parts = (text) => text.trim().split(/[\s,，、]+/).filter(Boolean).map(squashed).filter(Boolean);

function keepPlace() {
  for (const link of document.querySelectorAll("a[hreflang]")) {
    link.addEventListener("click", () => {
      const there = new URL(link.href);
      there.hash = location.hash;
      there.search = location.search;
      link.href = there.href;
    });
  }
}

const SCREENFUL = 100;

function index() {
  const form = document.querySelector(".index form.filter");
  if (!form) return;
  const query = form.elements.find;
  const selects = [...form.querySelectorAll("select")];
  const body = document.querySelector(".index table.apis tbody");
  const found = document.querySelector(".index .found");
  const nothing = document.querySelector(".index .nothing");
  const words = (row) => (row.dataset.words || "").split(" ").filter(Boolean);
  const rows = [...body.rows].map((row) => ({
    row,
    names: [row.querySelector("b").textContent, (row.querySelector("a") || row.cells[0]).textContent, ...words(row)]
      .map(squashed),
    text: squashed(row.cells[0].textContent) + "\n" + squashed(row.cells[1].textContent) + "\n"
      + words(row).map(squashed).join("\n") + "\n" + squashed(row.dataset.about || ""),
  }));
  const shown = () => [...body.rows].filter((row) => !row.hidden).map((row) => row.querySelector("a")).filter(Boolean);
  let fitting = [], drawn = 0, moved = [];

  function filter() {
    const wanted = parts(query.value);
    const whole = wanted.join("");
    const chosen = selects.filter((select) => select.value);
    // What was put in front goes back to its place, the last one first.
    for (const place of moved.reverse()) body.insertBefore(rows[place].row, rows[place + 1]?.row || null);
    moved = [];
    const best = [], good = [];
    rows.forEach((each, place) => {
      const fits = wanted.every((part) => each.text.includes(part))
        && chosen.every((select) => each.row.dataset[select.name].split(" ").includes(select.value));
      if (!fits) hide(each.row, true);
      else if (whole && each.names.includes(whole)) { best.push(each.row); moved.push(place); }
      else good.push(each.row);
    });
    // An entry of exactly that name stands first.
    if (best.length) body.prepend(...best);
    fitting = [...best, ...good];
    drawn = 0;
    draw();
    found.textContent = found.dataset.found.replace("{shown}", fitting.length).replace("{all}", rows.length);
    nothing.hidden = fitting.length > 0;
  }

  function hide(row, hidden) {
    if (row.hidden !== hidden) row.hidden = hidden;
  }

  // Rows are drawn by the screenful: the rest follows when somebody comes near the end.
  function draw() {
    const until = drawn + SCREENFUL;
    fitting.forEach((row, place) => { if (place >= drawn) hide(row, place >= until); });
    drawn = Math.min(until, fitting.length);
    // An observer tells of changes only: it is asked anew, since the end may be as near as it was before.
    end.disconnect();
    end.observe(more);
  }
  const more = document.querySelector(".index .more");
  // Several changes may be told at once; the last one is how it is now.
  const end = new IntersectionObserver(
    (seen) => { if (seen.at(-1).isIntersecting && drawn < fitting.length) draw(); }, { rootMargin: "800px" });

  function remember() {
    const address = new URL(location.href);
    for (const field of [query, ...selects]) {
      if (field.value) address.searchParams.set(field.name, field.value);
      else address.searchParams.delete(field.name);
    }
    history.replaceState(null, "", address);
  }

  function recall() {
    const given = new URLSearchParams(location.search);
    for (const field of [query, ...selects]) field.value = given.get(field.name) || "";
    for (const select of selects) if (select.selectedIndex < 0) select.value = "";
    filter();
  }

  let later = 0;
  form.addEventListener("input", () => {
    filter();
    clearTimeout(later);
    later = setTimeout(remember, 150);
  });
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); query.focus(); }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = shown()[0];
    if (first) location.href = first.href;
  });
  document.querySelector(".index").addEventListener("keydown", (event) => {
    if (event.target.tagName === "SELECT") return;
    let links = shown();
    const at = links.indexOf(document.activeElement);
    if ((at === links.length - 1 || event.key === "End") && drawn < fitting.length) { draw(); links = shown(); }
    if (event.key === "ArrowDown") (links[at + 1] || links[at] || query).focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] || query).focus();
    else if (event.key === "Home" && at >= 0) links[0].focus();
    else if (event.key === "End" && at >= 0) links[links.length - 1].focus();
    else if (event.key === "Escape" && at >= 0) query.focus();
    else if (event.key === "Escape" && query.value) { query.value = ""; filter(); remember(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("popstate", recall);
  recall();
  if (!location.hash) query.focus({ preventScroll: true });
}

// Every entry with all that people may type for it; read once, when somebody starts to type.
let entries = null;
async function known(address) {
  if (!entries) {
    const answer = await fetch(address);
    entries = (await answer.json()).map(([name, mindspore, verdict, tone, words, about]) => {
      const last = squashed(name.slice(name.lastIndexOf(".") + 1));
      const [names, said] = [words, about].map((text) => text.split(" ").map(squashed));
      return { name, mindspore, verdict, tone, last, full: squashed(name), words: names, said };
    });
  }
  return entries;
}

const MISSES = 100;

// How well an entry fits one part of what was typed: its own name before names that begin with or contain it,
// and what people call it before what is merely said of it.
function rank(entry, part) {
  if (entry.last === part || entry.full === part) return 0;
  if (entry.words.includes(part)) return 1;
  if (entry.last.startsWith(part)) return 2;
  if (entry.last.includes(part)) return 3;
  if (entry.full.includes(part) || entry.words.some((word) => word.includes(part))) return 4;
  if (entry.said.some((word) => word.includes(part))) return 5;
  return MISSES;
}

// Whether a name ends with just what was typed: of `leaky_relu` and `LeakyReLU` the one that is spelled so comes first.
const spelled = (entry, typed) => entry.name === typed || entry.name.endsWith(`.${typed}`);

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The theme's search weighs words. Where what was typed is an API's name, its page stands before all else.
function exact() {
  const input = document.querySelector(".md-search__input");
  const results = document.querySelector(".md-search-result");
  if (!input || !results) return;
  const base = new URL(JSON.parse(document.getElementById("__config").textContent).base + "/", location.href);
  const list = element("ol", { class: "md-search-result__list exact", role: "presentation" });
  const once = element("style", {});
  results.insertBefore(list, results.querySelector(".md-search-result__list"));
  document.head.append(once);

  async function look() {
    const wanted = squashed(input.value);
    const all = wanted ? await known(new URL("assets/names.json", base)) : [];
    if (squashed(input.value) !== wanted) return;
    const typed = input.value.trim();
    const found = all.filter((entry) => rank(entry, wanted) === 0);
    const hits = found.sort((a, b) => spelled(b, typed) - spelled(a, typed)).slice(0, 3);
    const again = hits.map((entry) => `.md-search-result__list:not(.exact) > li:has(> a[href*="/api/${entry.name}/"])`);
    once.textContent = again.length ? `${again.join()} { display: none }` : "";
    list.replaceChildren(...hits.map((entry) =>
      element("li", { class: "md-search-result__item" },
        element("a", { class: "md-search-result__link", href: new URL(`api/${entry.name}/`, base).href, tabindex: "-1" },
          element("article", { class: "md-search-result__article md-typeset", "data-md-score": "1e9" },
            element("h1", {}, entry.name),
            element("p", {}, entry.mindspore, " ", element("span", { class: `chip ${entry.tone}` }, entry.verdict)))))));
  }
  for (const event of ["input", "keyup", "focus"]) input.addEventListener(event, look);
}

function lookup() {
  const form = document.querySelector("form.lookup");
  if (!form) return;
  const input = form.querySelector("input");
  const list = form.querySelector("ul");
  let at = -1;

  async function look() {
    const wanted = parts(input.value);
    const all = await known(form.dataset.names);
    const typed = input.value.trim();
    const order = (entry) => wanted.reduce((sum, part) => sum + rank(entry, part), 0) - spelled(entry, typed) / 2;
    const ranked = all.map((entry) => [order(entry), entry]).filter(([at]) => at < MISSES);
    const hits = wanted.length ? ranked.sort((a, b) => a[0] - b[0]).slice(0, 8) : [];
    list.replaceChildren(...hits.map(([, entry], number) => option(entry, number)));
    if (wanted.length && !hits.length) {
      list.append(element("li", { role: "option", "aria-disabled": "true" }, form.dataset.empty));
    }
    choose(hits.length ? 0 : -1);
    list.hidden = !wanted.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  }

  function option(entry, number) {
    const item = element("li", { id: `lookup-${number}`, role: "option", "data-href": `api/${entry.name}/` },
      element("b", {}, entry.name),
      element("span", {}, entry.mindspore),
      element("span", { class: `chip ${entry.tone}` }, entry.verdict));
    item.addEventListener("mousedown", (event) => { event.preventDefault(); location.href = item.dataset.href; });
    return item;
  }

  function choose(number) {
    at = number;
    [...list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === at)));
    if (at >= 0) input.setAttribute("aria-activedescendant", `lookup-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }

  input.addEventListener("input", look);
  input.addEventListener("blur", () => { list.hidden = true; input.setAttribute("aria-expanded", "false"); });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const count = list.querySelectorAll("[data-href]").length;
    if (event.key === "ArrowDown" && count) choose((at + 1) % count);
    else if (event.key === "ArrowUp" && count) choose((at + count - 1) % count);
    else if (event.key === "Escape" && !list.hidden) list.hidden = true;
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await look();
    const item = list.children[at];
    location.href = item && item.dataset.href ? item.dataset.href : `api/?find=${encodeURIComponent(input.value)}`;
  });
  if (input.value) look();
  input.focus({ preventScroll: true });
}

keepPlace();
index();
exact();
lookup();
