"""Before and after with real output: the two programs that a page shows (`program`), what they printed when last run
(`records`), and how they are run (`run`, in an environment with both frameworks)."""
