"""The command line: a person's arguments go in, an exit code and text on stdout and stderr come out.

`main` finds the command and turns every failure into one sentence; `options` reads arguments, `selection` the entries
that they name, `progress` tells who waits, `complain` says what is refused, `clean_registry` loads a registry without
errors or stops. Each command is a module of `commands`, imported when it is called. What a command does is left to the
folders below.
"""
