"""The harness and its data are plain modules beside the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
