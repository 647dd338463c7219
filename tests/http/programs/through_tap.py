"""A client behind a tap of its own, for a suite that starts both: `through_tap.py CLIENT… URL`."""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

*client, url = sys.argv[1:]
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    record = [sys.executable, "-m", "auditor", "record", "--db", str(Path(folder) / "audit.duckdb"), "--upstream", url]
    tap = subprocess.Popen(record, stderr=subprocess.PIPE, text=True)
    found = re.search(r"https?://[^;]+", tap.stderr.readline() if tap.stderr else "")
    code = subprocess.run([*client, found[0]], check=False).returncode if found else 1
    tap.send_signal(signal.SIGTERM)
    tap.wait()
sys.exit(code)
