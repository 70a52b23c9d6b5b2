"""Whole programs as evidence. In: a torch program that trains something. Out: how far its curve through the adapter is
from its curve with torch, and how far it may be. `observe` runs in a process of its own, on either side; `deviation`
compares what two runs left; `run` starts the processes. Which programs there are is left to the caller.
"""
