"""Reasons why a number of a run is missing."""

_NONE_BECAUSE = (
    ("pages", "no page was loaded within the measurement"),
    ("playback", "no segment of the video arrived"),
    ("late_or_lost", "no datagram has arrived or was lost"),
    ("response_time", "no transaction was finished"),
    ("transfer.time_s", "the transfer did not end within the run"),
    ("rtt", "no segment was timed"),
    ("delay", "nothing arrived that could be timed"),
    ("finished_s", "the flow did not end within the run"),
    ("aborted_s", "the flow did not give up"),
)
"""Meaning of a number that is missing, by a part of its path."""


def why_none(place: str) -> str:
    """Reason why there is no number at `place`, a path in a summary."""
    reasons = (reason for part, reason in _NONE_BECAUSE if f".{part}" in place)
    return next(reasons, "there is none")
