"""Files with tensors: those of the original framework, in its zip format and the one before it, and safetensors.
Reading one never runs code from it: what a file may contain is listed, and everything else is refused by name.
"""
