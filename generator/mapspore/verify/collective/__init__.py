"""Running the cases of entries about several processes: `arguments` makes what a case describes, `sides` runs it with
torch on gloo and with the adapter, `compare` judges. Starting processes is left to `processes`.
"""
