"""The engine: what is recorded, and what runs backwards through it. Its members are attached to the class of tensors,
which is put together first whichever part of the runtime a program imports.
"""

from .. import tensor as tensor
