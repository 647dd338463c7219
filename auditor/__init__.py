"""Record and analyze the traffic of Model Context Protocol servers."""

__version__ = "0.1.0"
