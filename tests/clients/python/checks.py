"""Prints the result of each check of the server in one line."""

import sys
import time

# No check needs more than a few round trips to a server on the same machine.
TIMEOUT_SECONDS = 30


def check(name):
    """A decorator that runs a check immediately and prints its line."""

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
    # kopf's runner captures sys.stdout.
    print(line, file=sys.__stdout__, flush=True)


def equal(actual, expected):
    """Raises if a value is not the expected one."""
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def until(what, is_true):
    """Waits for a condition, and raises with its name at the time limit."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not is_true():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen in time")
        time.sleep(0.02)
