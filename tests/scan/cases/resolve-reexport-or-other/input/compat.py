try:
    from torch import abs
except ImportError:
    from numpy import abs
