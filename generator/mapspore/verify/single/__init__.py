"""Running the cases of calls in one process: cases in, one finding per case and target out.

The modules `run_*` each run one kind of case with both frameworks behind `sides`, and `compare` judges in the same
process; `run` spreads the cases over processes that a server forks, so that a crash costs one case.
"""
