"""Migrating code that uses torch: files go in, edited files and an account of what was left come out.

plan   uses of one file  -> Plan   (adapter.py, direct.py)   what changes, what stays and why
edit   text + Plan       -> text   (edit.py, rewrite_call.py)   the only part that needs libcst
write  texts             -> files  (write.py)

What cannot be rewritten exactly stays as it is; everything that is not part of a change stays byte for byte.
"""
