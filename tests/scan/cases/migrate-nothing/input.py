import os

print(os.sep, "torch")
