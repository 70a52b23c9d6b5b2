"""The facts of torch and MindSpore: what their public APIs are called and which arguments they take.

`extract` reads an installed package and returns a snapshot's text, `snapshot` loads and writes such texts,
`naming` tells what a name is that no snapshot lists, `diff` compares two snapshots. This package imports none of its
modules: a lookup pays for `naming` alone.

The snapshot format, version 1
------------------------------
A JSON object in UTF-8: `format` (1), `framework` (`torch` or `mindspore`), `version` (without a build suffix
such as `+cpu`), `modules` (those whose public names are all here), `others` (the other public modules of the
package) and `apis`, a list sorted by name with one API per line. A key whose value is empty is left out, so an
absent key means "none". The keys of an API, in this order:

- `name`: the qualified public name, such as `torch.nn.functional.gelu`.
- `kind`: `function`, `class`, `method`, `property` or `constant` (a dtype, a flag, an enumerator).
- `home`: the canonical name, where this name is another one for the same thing; see below.
- `places`: further full names of the same object, in other modules; see below.
- `see`: the API whose docstring has the details, where this one's only points there.
- `bases`: the public base classes, nearest first. A method that is not listed on a class is theirs.
- `protocol`: for a class, what Python's syntax can do with an instance: `call`, `enter` (a `with` statement),
  `getitem`, `iter`, `len`, inherited ones included; for a function, `enter` if `contextlib.contextmanager` made it.
- `forms`: the overloads of the call; for a class, those of its constructor.
- `call`: for a class, the overloads of calling an instance (`forward`, `construct` or `__call__`).
- `returns`: for a property or constant, the type of its value.
- `returns_doc`: the first sentence, or its beginning, of what the docstring says is returned.
- `fields`: the names in the returned named tuple, if the API has one such tuple to return.
- `deprecated`: `since`, `replacement` and `removal` (the last version to have it), each if it is stated. `{}`
  says deprecated and no more. The docstring's word goes first, then that of a decorator.
- `platforms`: the list under "Supported Platforms"; none for an API that has "Deprecated" there.
- `notes`: sentences of MindSpore's docstring that restrict the API, as they are written but for the full stop. Each has
  `about`, `text`, and what could be read from it: `parameter` (the one it stands under), `version`, `platforms` and
  `dtypes` (those it names), `modes` (`pynative` or `graph`, if it says that the API runs in that one only). `about` is
  `change` (what a later version will do differently, after `version`; not the API's own deprecation), `experimental`,
  `mode` (PyNative, graph mode, jit), `platform`, or `startup` (to be called before there is any tensor).

A form has `parameters`, `returns` (an annotation), `fields` where not every form returns the named tuple, and
`legacy: true` if torch accepts the call with a deprecation warning only. A parameter has

- `name`;
- `kind`, unless it is `positional_or_keyword`;
- `default` as Python source: absent if the parameter is required, `"..."` if it is optional and its default
  has no source;
- `documented`: the default in the docstring's signature, where that is another one (`torch.std` has
  `correction=None` and documents `correction=1`);
- `annotation` as Python source.

`self` is not listed, nor are optional parameters whose name begins with an underscore; a parameter behind
such a one is `keyword_only`. Where the source hides the parameters behind `*args, **kwargs`, or is C++, the
forms are those that stubs, operator schemas or docstrings give.

Which names are in
------------------
The scopes and the further modules are listed in `extract.torch_names` and `extract.mindspore_names`. A name in
one of them is public if `__all__` has it, or if it has no underscore, is documented and is defined inside the
framework; the few exceptions are listed there. A further module also has settings: names that it assigns, in
capitals if it has an `__all__`. A method is listed on the class that introduces it, and on a subclass only where
its parameters change; so is an attribute that a class annotates, as a property. `Facts.resolve` follows `bases`
to an inherited member.

Which name is the home
----------------------
Names bound to the very same object are aliases of each other. Their home is the name that the docstring or
its examples use; else the one that ends in the object's own `__name__`; else the one whose scope is listed
first; else the first of the alphabet. A docstring that begins with "Alias for" another API of the same kind
outranks this, if the two accept the same number of arguments.

A name in a further module, or in any other public module of the package, for an object that is an API already is
a place of that API: `torch.nn.modules.linear.Linear` of `torch.nn.Linear`. A place is no API of its own.
"""
