from torch import *
from somewhere import *

argmin(x)
