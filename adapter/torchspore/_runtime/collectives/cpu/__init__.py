"""MindSpore's collectives on a CPU without any accelerator: `mint` and `comm_func` have the names, parameters and
results of MindSpore's own modules. Where its CPU runtime has the kernel they call it; where it has none they
compose the result from messages between ranks. What runs here proves the logic of the adapters against the
documented contracts, not HCCL.
"""
