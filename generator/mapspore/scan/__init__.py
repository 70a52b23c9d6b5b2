"""Scanning code that uses torch: files go in, findings come out. Nothing that is scanned is imported or run.

compile  Registry           -> Ruleset   (rules.py, conditions.py)   what to look for, as plain data, kept by digest
find     paths              -> files     (files.py, notebook.py)
analyse  text + Ruleset     -> FileUses     (analyse.py, expressions.py, uses.py, judge_call.py)   one file by itself
link     uses of all files  -> uses      (run.py)                    names that one scanned file takes from another
report   uses + Ruleset     -> findings  (findings.py, summary.py, report_*.py)
"""
