"""Migrating code that uses torch: files go in, edited files and an account of what was left come out.

read   files             -> Flows    (read_files.py, flow_*.py, variables.py, cells.py)   where values can pass
judge  Flows             -> Verdict  (verdict.py)   all of a flow is rewritten, or nothing; what holds it back
plan   uses of one file  -> Plan     (adapter.py, direct.py)   what changes
edit   text + Plan       -> text     (edit.py, rewrite_call.py)   the only part that needs libcst
write  texts             -> files    (write.py)
tell   Migration         -> Account  (account.py)   which files and programs can run afterwards

What cannot be rewritten exactly stays as it is; everything that is not part of a change stays byte for byte.
"""
