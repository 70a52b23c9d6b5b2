"""The processes of a verification: jobs with cases as plain JSON go in, what each case did on each rank comes out.

`jobs` deals out jobs and runs again what a crash or a hang left undone; `server` has imported its framework once and
forks; `rank` runs cases of communication on one of several ranks, `worker` cases of calls in one process. Only forked
processes import a framework. Making cases and judging is left to `collective` and `single`.
"""
