from .compat import abs

abs(x)
