"""The simulator of the benchmarks is what these tests ask about, too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
