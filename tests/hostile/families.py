"""Families of programs whose size is a number, to see whether time grows with the text and no faster.

Each family gives the files of a folder by name. The first four once took quadratic time; the others have the shapes of
which that is most to be feared: many names, many branches, long lines, long chains of assignments, classes and files.
"""

from __future__ import annotations

import json
from collections.abc import Callable

Files = dict[str, str]
EXPORTING = "import torch\nfrom torch import abs as taken\n"


def _notebook(source: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": source}], "nbformat": 4})


def _lines(line: str, count: int, head: str = "import torch\n") -> Files:
    """A line over and over, `{}` being its number."""
    return {"a.py": head + "".join(line.replace("{}", str(number)) + "\n" for number in range(count))}


FAMILIES: dict[str, Callable[[int], Files]] = {
    "import(": lambda n: {"a.py": EXPORTING, "b.py": "import(" * n},
    "import in a line": lambda n: {"a.py": EXPORTING, "b.py": "import " * n},
    "lines for the shell": lambda n: {"a.ipynb": _notebook("import torch\n" + "!ls\n" * n)},
    "a name that grows": lambda n: _lines("torch=torch.abs", n),
    "names": lambda n: _lines("x{} = torch.abs(x{})", n),
    "branches": lambda n: _lines("if a: x{} = 1", n),
    "branches over names": lambda n: _lines("x{} = 1\nif a: y = torch.abs(x{})", n),
    "loops": lambda n: _lines("for i in a: x{} = torch.abs(i)", n),
    "tries": lambda n: _lines("try: x{} = torch.abs(1)\nexcept E: x{} = None", n),
    "handlers": lambda n: {
        "a.py": "import torch\n" + "".join(f"x{k} = 1\n" for k in range(n)) + "try:\n"
        + "".join(f"  x{k} = torch.abs(1)\n" for k in range(n)) + "".join(f"except E{k}: y{k} = 1\n" for k in range(n))
    },
    "cases": lambda n: {
        "a.py": "import torch\nmatch torch.abs(x):\n" + "".join(f" case (a{k}, b) if c: z{k} = 1\n" for k in range(n))
    },
    "a loop over imports": lambda n: {
        "a.py": "".join(f"import torch as t{k}\n" for k in range(n)) + "for i in x:\n"
        + "".join(f" t{k}.abs(i); t{k} = i\n" for k in range(n))
    },
    "stars": lambda n: _lines("from torch.nn import *\nLinear(x{})", n),
    "unknown stars": lambda n: _lines("from torch.m{} import *\nf{}(x)", n),
    "one long line": lambda n: {"a.py": "import torch\né=1;" + "torch.abs(x);" * n + "\n"},
    "one long name": lambda n: {"a.py": "import torch\nx = torch." + "a" * n + "\n" + "x.b\n" * n},
    "a chain of classes": lambda n: {
        "a.py": "import torch\nclass A0: pass\n"
        + "".join(f"class A{k + 1}(A{k}):\n def f(self): return self.x\n" for k in range(n))
    },
    "a lattice of classes": lambda n: {
        "a.py": "import torch\nclass A0: pass\nclass B0: pass\n"
        + "".join(
            f"class A{k + 1}(A{k}, B{k}): pass\nclass B{k + 1}(A{k}, B{k}):\n def f(self): return self.x\n"
            for k in range(n)
        )
    },
    "functions": lambda n: _lines("def f{}(a): return torch.abs(a)", n),
    "attributes of self": lambda n: {
        "a.py": "import torch\nclass A:\n def f(self):\n"
        + "".join(f"  self.x{k} = torch.abs(self.x{k})\n" for k in range(n))
    },
    "arguments": lambda n: {"a.py": "import torch\ntorch.abs(" + ", ".join(f"a{k}=1" for k in range(n)) + ")\n"},
    "a tuple": lambda n: {"a.py": "import torch\nx = (" + "torch.abs(x), " * n + ")\n"},
    "annotations": lambda n: _lines("def f{}(a: 'torch.Tensor') -> 'torch.Tensor': ...", n),
    "comments": lambda n: _lines("torch.abs(x)  # mapspore: ignore[S100, S103]", n),
    "cells": lambda n: {
        "a.ipynb": json.dumps({
            "cells": [{"cell_type": "code", "source": f"%time x{k}\nimport torch\ntorch.abs(x)"} for k in range(n)]
        })
    },
    "spaces": lambda n: {"a.ipynb": _notebook("import torch\n" + " " * n + "x\n"), "a.py": "import torch\n#" + " " * n},
    "strings in a cell": lambda n: {"a.ipynb": _notebook("import torch\nx = [\n" + "'''\n!ls\n''',\n" * n + "]")},
    "imports by the dozen": lambda n: _lines("from torch import abs as a{}, cos as b{}\na{}(b{}(x))", n, ""),
    "rebound": lambda n: _lines("def f{}():\n global torch\n torch = torch.abs", n),
}  # fmt: skip

TREES: dict[str, Callable[[int], Files]] = {
    "modules in a chain": lambda n: {
        "m0.py": "from torch import abs\n", **{f"m{k + 1}.py": f"from m{k} import abs\n" for k in range(n)}
    },
    "modules in a chain, renamed": lambda n: {
        "m0.py": "from torch import abs as n0\n",
        **{f"m{k + 1}.py": f"from m{k} import n{k} as n{k + 1}\n" for k in range(n)},
    },
    "modules with stars": lambda n: {
        "m0.py": "from torch import abs\n", **{f"m{k + 1}.py": f"from m{k} import *\n" for k in range(n)}
    },
}  # fmt: skip
"""Families that grow by files."""

FLOWS: dict[str, Callable[[int], Files]] = {
    "functions that call one another": lambda n: _lines(
        "def f{}(x, g=None): return f{}(torch.abs(x), f0)", n, "import torch\ndef f0(x): return x\n"
    ),
    "functions as values": lambda n: _lines("def f{}(x): return torch.abs(x)\nall.append(f{})\nall[{}](y)", n),
    "flows apart": lambda n: _lines("def f{}(n):\n x = torch.arange(n)\n return torch.abs(x), torch.dequantize(x)", n),
    "constants": lambda n: _lines("C{} = 1\nD{} = C{} + 2\ntorch.full((C{},), D{})", n),
    "constants in a chain": lambda n: {
        "a.py": "import torch\nc0 = torch.abs(x)\n" + "".join(f"c{k + 1} = c{k}\n" for k in range(n))
    },
    "methods of anything": lambda n: _lines("x{}.backward(); y.cuda(); x{}.frobnicate()", n),
    "libraries": lambda n: _lines("import lib{}\ntorch.abs(lib{}.make(x{}))", n),
    "modes": lambda n: _lines("with torch.no_grad(): torch.abs(x{})", n),
    "stars of modules": lambda n: {
        "a.py": "import torch\n" + "".join(f"from m{k} import *\ntorch.abs(y{k})\n" for k in range(n)),
        **{f"m{k}.py": f"y{k} = {k}\n" for k in range(n)},
    },
    "values through modules": lambda n: {
        "m0.py": "import torch\ndef f0(x): return torch.abs(x)\n",
        **{f"m{k + 1}.py": f"from m{k} import f{k}\ndef f{k + 1}(x): return f{k}(x)\n" for k in range(n)},
    },
}  # fmt: skip
"""Families whose values meet in many ways."""
