"""The facts of torch and MindSpore: what their public APIs are called and which arguments they take.

`extract` reads an installed package and returns a snapshot's text, `snapshot` loads and writes such a text, `diff`
compares two of them. Importing this package imports none of its modules, so that a lookup pays only for `snapshot`.

The snapshot format, version 1
------------------------------
A JSON object in UTF-8: ``format`` (1), ``framework`` (``torch`` or ``mindspore``), ``version`` (without a build
suffix such as ``+cpu``) and ``apis``, a list sorted by name with one API per line. A key whose value is empty is left
out, so an absent key always means "none". Keys come in the order of this table.

=============  ========================================================================================================
``name``        qualified public name, e.g. ``torch.nn.functional.gelu``
``kind``       ``function``, ``class``, ``method``, ``property`` or ``constant`` (a dtype or another documented value)
``home``       the canonical name, when this name is another one for it (rule below)
``see``        the API whose docstring holds the details, where this docstring only points there
``bases``      public base classes in method resolution order; a method that is not listed on a class is theirs
``forms``      every overload of the call; for a class, of its constructor
``call``       for a class: the overloads of calling an instance (``forward``, ``construct`` or ``__call__``)
``returns``    for a property: the type of its value
``returns_doc`` first sentence of the documented return value
``fields``     names of the returned named tuple's fields, if all forms return the same one
``deprecated`` ``since``, ``replacement``, ``removal`` (last version that has it), each as far as it is stated; ``{}``
               says deprecated and nothing else
``platforms``  the list under "Supported Platforms", as it is written there
=============  ========================================================================================================

A form has ``parameters`` and ``returns`` (the annotation), ``fields`` if only some forms return a named tuple, and
``legacy: true`` for a call that torch only accepts with a deprecation warning. A parameter has ``name``; ``kind``
unless it is ``positional_or_keyword``; ``default`` as Python source, absent if the parameter is required (``"None"`` is
a default); ``documented``, the default that the docstring's signature gives where that is a different one;
``annotation`` as Python source. ``self`` is never listed. A form whose default cannot be known has ``"..."``.

Which names are in
------------------
The scopes are listed in `surface`. A name is public there if the module's ``__all__`` has it, or if it carries no
underscore, is documented and is defined inside the framework; names that a scope merely imports from another public
scope are left out. Methods are listed on the class that introduces them, and on a subclass only where the parameters
change.

Which name is the home
----------------------
Names that are bound to the very same object are aliases of each other; so is a name whose docstring begins with "Alias
for/of" another one. Of the names of one object the home is the first by: the object's own ``__name__`` is the name's
last part; the scope listed first in `surface`; alphabetical order. A docstring's word outranks this.
"""
