"""Entries about several processes: `run` makes jobs of their cases, `rank` runs a case on one rank of either side with
what `arguments` makes, `compare` judges by torch and by the contract. Starting processes is left to `processes`.
"""
