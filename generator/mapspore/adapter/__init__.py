"""The adapter's code (stage render): mappings go in, the text of the generated modules of `torchspore` comes out.

`module` decides what the module of an entry holds; `collective` makes the functions of communication between ranks,
`call` the functions, methods and classes of one process, `package` the `__init__` files. The hand-written runtime that
generated code calls lies in `adapter/torchspore`; writing files is left to `write`.
"""
