"""Before and after with real output: how the two programs that a page shows are run, in an environment with both
frameworks. What they printed when last run is read by `evidence.records`.
"""
