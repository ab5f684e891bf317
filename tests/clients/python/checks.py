"""Prints what a program found out about the server, one line a check."""

import sys
import time

# No check needs more than a few round trips to a server on the same machine.
TIMEOUT_SECONDS = 30


def check(name):
    """A decorator that makes a check at once and prints its line."""

    def run(function):
        try:
            function()
        except Exception as error:
            reason = str(error).replace("\n", " ") or repr(error)
            tell(f"FAIL {name}: {reason}")
        else:
            tell(f"ok   {name}")
        return function

    return run


def tell(line):
    # kopf's runner keeps what is printed on sys.stdout to itself.
    print(line, file=sys.__stdout__, flush=True)


def equal(actual, expected):
    """Raises when a value is not the expected one."""
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def until(what, is_true):
    """Waits for a condition, and says for what when it does not come true."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not is_true():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen in time")
        time.sleep(0.02)
