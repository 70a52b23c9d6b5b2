"""`python -m mapspore` is the same as `mapspore`."""

import sys

from mapspore.cli.main import main

sys.exit(main())
