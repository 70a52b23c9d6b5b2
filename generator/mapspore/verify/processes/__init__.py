"""The processes of a verification: jobs with cases as plain JSON go in, what each case did on each rank comes out.

`jobs` deals out jobs and runs again what a crash or a hang left undone; `server` has imported its framework once and
forks. Only forked processes import a framework. Running cases and judging is left to `collective` and `single`.
"""
