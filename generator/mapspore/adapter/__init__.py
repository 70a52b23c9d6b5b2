"""The adapter's code (stage render): mappings go in, the text of the generated modules of `torchspore` comes out.

`module` decides which sort of module an entry has; `function`, `layer` and `collective` make the views of functions, of
classes and of communication between ranks, from what `declaration` (torch's side), `call` (MindSpore's side) and
`shared_bodies` (several call forms) have in common; `package` renders them and makes the `__init__` files. What the
modules look like stands in `templates/code`. The hand-written runtime that generated code calls lies in
`adapter/torchspore/_runtime`; writing files is left to `write`.
"""
