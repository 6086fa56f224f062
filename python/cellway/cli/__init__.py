"""The command line. Handlers of signals are set before anything large is imported."""

import gc
import os
import sys

try:
    from cellway.disk.signals import hearing, ignore, leave_at_once
except KeyboardInterrupt:
    sys.stderr.write("interrupted\n")
    raise SystemExit(130) from None

NEW_OBJECTS = 100_000
"""New objects after which Python looks for unreachable cycles; its own number is 700.

Results of many flows are large and have no cycles: the search took a fifth of the time beside the
simulator in a run of 10 000 flows.
"""


def main() -> None:
    """Runs the command line and leaves with its exit code; see `cellway.cli.exits`."""
    gc.set_threshold(NEW_OBJECTS)
    with hearing(leave_at_once):
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:  # The caller closed it, as `>&-` does: nobody wants to read.
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
            elif hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
                if os.name == "nt" and not stream.isatty():  # Its code page lacks most signs.
                    stream.reconfigure(encoding="utf-8", newline="\n")
        from cellway.cli.commands import application  # noqa: PLC0415
        from cellway.cli.exits import guarded  # noqa: PLC0415

        call = application(sys.argv[1:])
    code = guarded(call)
    ignore()
    sys.exit(code)
