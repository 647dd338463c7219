"""Names of captures."""

import os
import time


def new_capture_id(now_ns: int) -> str:
    """A sortable name for a capture that begins now: UTC time, then random hex.

    >>> new_capture_id(0)[:16]
    '19700101T000000-'
    """
    return time.strftime("%Y%m%dT%H%M%S", time.gmtime(now_ns // 10**9)) + "-" + os.urandom(4).hex()
