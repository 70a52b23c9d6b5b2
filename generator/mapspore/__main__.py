"""`python -m mapspore` is the same as `mapspore`."""

import sys

from mapspore.cli import main

sys.exit(main())
