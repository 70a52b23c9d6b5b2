from .compat import *
