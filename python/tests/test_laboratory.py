"""The server of the laboratory: who is answered, and with which numbers."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from cellway import Scenario, run
from cellway.cli.laboratory import _offered
from cellway.lab.jobs import Job, Offered, answer, description
from common import SCENARIOS, SHIPPED, SMALL, shipped
from laboratory import Served, job, offered_of, opened, serving

FILE = SHIPPED / "access-queue.toml"
SHORT = [("run.duration", "4 s"), ("run.warm_up", "1 s")]
LONG = """
run = { duration = "800000 s" }
host = { a = {}, b = {} }
link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = {} }
"""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(offered_of(FILE)) as found:
        yield found


def never() -> bool:
    return False


def test_the_page_is_there_for_those_who_know_its_address(served: Served) -> None:
    status, page = served.ask("GET", served.path)
    assert status == 200
    assert b"Content-Security-Policy" in page
    assert b"connect-src 'self'" in page


@pytest.mark.parametrize("path", ["/", "/lab/access-queue", "/tokem/lab/access-queue", "/token"])
def test_without_the_token_nothing_is_told(served: Served, path: str) -> None:
    status, content = served.ask("GET", path)
    assert status == 404
    assert b"access" not in content


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1", "127.0.0.1.example.com:80", ""])
def test_a_name_that_leads_here_is_refused(served: Served, host: str) -> None:
    assert served.ask("GET", served.path, headers={"Host": host})[0] == 403
    asked = job(SMALL)
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert served.ask("POST", f"{served.path}/run", asked, headers)[0] == 403


@pytest.mark.parametrize("origin", ["http://example.com", "null", ""])
def test_a_job_from_another_page_is_refused(served: Served, origin: str) -> None:
    assert served.ask("POST", f"{served.path}/run", job(SMALL), {"Origin": origin})[0] == 403


@pytest.mark.parametrize("given", ["x", {}, {"text": 1, "set": 3}, {"text": "", "window": [2, 1]}])
def test_what_is_no_job_is_refused(served: Served, given: object) -> None:
    assert served.ask("POST", f"{served.path}/run", given)[0] == 400


@pytest.mark.parametrize(
    ("body", "size", "status"),
    [
        ("[" * 100_000, None, 400),
        ('{"text": "", "window": [0, 1' + "0" * 400 + "]}", None, 400),
        ("", "9" * 5000, 413),
        ("", "-1", 413),
        ("", "\u0661", 413),
    ],
    ids=["deep", "large number", "long length", "negative", "other digits"],
)
def test_a_body_that_is_none_is_refused_in_a_line(
    served: Served, body: str, size: str | None, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    head = (
        f"POST {served.path}/run HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        f"Origin: {served.origin}\r\nContent-Length: {size or len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        connection.sendall(head.encode() + body.encode())
        answer = HTTPResponse(connection)
        answer.begin()
        said = answer.read().decode()
    assert (answer.status, said.count("\n")) == (status, 1)
    assert capsys.readouterr().err == ""


def test_a_pipe_in_the_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "cellular.trace")
    text = (SHIPPED / "cellular.toml").read_text()
    offered = Offered("x", str(tmp_path / "x.toml"), text)
    header, _ = opened(answer(offered, Job(text), never))
    assert "expected a file" in header["faults"][0]["message"]


def test_a_folder_does_not_hide_a_shipped_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rrul").mkdir()
    monkeypatch.chdir(tmp_path)
    (offered,) = _offered(Path("rrul"))
    assert offered.text == (SHIPPED / "rrul.toml").read_text()


@pytest.mark.parametrize("path", ["../secret.trace", "/etc/passwd", "link.trace"])
def test_no_file_outside_the_folder_is_read(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "secret.trace").write_text("0\n1\n2\n")
    (folder / "link.trace").symlink_to(tmp_path / "secret.trace")
    text = (SHIPPED / "cellular.toml").read_text().replace("cellular.trace", path)
    offered = Offered("x", str(folder / "x.toml"), text)
    header, _ = opened(answer(offered, Job(text), never))
    assert "outside the folder" in header["faults"][0]["message"]
    (folder / "cellular.trace").write_text((SHIPPED / "cellular.trace").read_text())
    own = (SHIPPED / "cellular.toml").read_text()
    assert opened(answer(offered, Job(own, SHORT), never))[0]["faults"] == []


def test_faults_have_their_places_or_their_key(served: Served) -> None:
    text = SMALL.replace("[run]", "[run]\nwrong = 1", 1)
    _, content = served.ask("POST", f"{served.path}/run", job(text))
    header, columns = opened(content)
    fault = header["faults"][0]
    assert text.splitlines()[fault["line"] - 1].startswith("wrong")
    assert fault["column"] == 1
    assert not columns
    sets = [("link.line.rate", "fast")]
    _, content = served.ask("POST", f"{served.path}/run", job(FILE.read_text(), sets))
    (fault,) = opened(content)[0]["faults"]
    assert (fault["key"], fault["line"]) == ("link.line.rate", 0)
    _, content = served.ask("POST", f"{served.path}/describe", job(text))
    assert json.loads(content)["faults"][0]["column"] == 1


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_numbers_are_those_of_the_command(file: Path) -> None:
    """The summary of an answer, byte for byte, and series that every picture needs."""
    offered = offered_of(file)
    header, columns = opened(answer(offered, Job(offered.text), never))
    assert header["faults"] == []
    assert header["summary"] == run(Scenario.load(file)).summary_json
    assert columns


def test_numbers_of_a_setting_are_those_of_its_command(served: Served) -> None:
    sets = [*SHORT, ("link.line.rate", "5 Mbit/s of line"), ("switch.router.drop", "fq_codel")]
    _, content = served.ask("POST", f"{served.path}/run", job(FILE.read_text(), sets))
    header, columns = opened(content)
    expected = run(Scenario.load(FILE).with_sets(sets))
    assert header["summary"] == expected.summary_json
    time, value = columns["near[1].cwnd"]
    assert (time[-1], max(value)) == (4.0, max(expected_cwnd(sets)))


def expected_cwnd(sets: list[tuple[str, str]]) -> list[float]:
    further = [("observe.series", ["cwnd"])]
    found = run(Scenario.load(FILE).with_sets(sets).with_sets(further))
    return [*found.series("near[1].cwnd").value]


def test_a_run_for_which_nobody_waits_is_stopped(served: Served) -> None:
    before = threading.active_count()
    body = json.dumps(job(LONG)).encode()
    head = (
        f"POST {served.path}/run HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        f"Origin: {served.origin}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        connection.sendall(head.encode() + body)
        time.sleep(0.5)
        assert threading.active_count() > before
    ended = time.monotonic() + 2.0
    while threading.active_count() > before and time.monotonic() < ended:
        time.sleep(0.02)
    assert threading.active_count() == before


def packets(name: str, window: tuple[float, float], **sets: str) -> dict[str, tuple[object, ...]]:
    file = SHIPPED / f"{name}.toml"
    asked = Job(file.read_text(), [*SHORT, *sets.items()], keeps_packets=True, window=window)
    header, columns = opened(answer(offered_of(file), asked, never))
    assert header["faults"] == []
    return dict(columns)


def test_packets_are_those_of_the_run() -> None:
    found = packets("packet-router", (0.0, 5.0))
    scenario = shipped("packet-router", dict(SHORT))
    observed = scenario.with_set("observe", {"series": ["one_way_delay"], "segments": {}})
    finished = run(observed.with_set("run.warm_up", "0 s"))
    flow = finished.flows["download"]
    sent, arrived = map(np.asarray, found["download.packets"])
    _, octets = found["download.packets.size"]
    assert sum(np.asarray(octets) == 1500) == flow["segments_sent"]
    delays = (arrived - sent)[np.isfinite(arrived)]
    assert delays.min() >= scenario.explain()["flows"][0]["propagation_seconds"]
    recorded = finished.series("download.one_way_delay").value
    assert abs(delays.max() - np.nanmax(recorded)) < 2e-9
    lost = finished.series("download.lost_at.router.line").time
    never_seen = sent[np.isnan(arrived)]
    under_way = never_seen > 4.0 - delays.max()
    assert len(never_seen[~under_way]) <= len(lost) <= len(never_seen)
    assert len(lost) > 0


def test_packets_of_a_window_are_a_part_of_all() -> None:
    whole = packets("access-queue", (0.0, 5.0))
    part = packets("access-queue", (1.0, 1.5))
    for flow in ("near[1]", "far[2]", "call"):
        sent, arrived = map(np.asarray, whole[f"{flow}.packets"])
        inside = (sent >= 1.0) & (sent <= 1.5)
        some, seen = map(np.asarray, part[f"{flow}.packets"])
        assert np.array_equal(sent[inside], some)
        assert np.array_equal(arrived[inside], seen, equal_nan=True)


def test_a_description_has_the_way_of_every_flow() -> None:
    found = json.loads(description(offered_of(FILE), Job(FILE.read_text())))
    ways = found["path"]["ways"]
    assert [(len(way["hops"]), way["waits"]) for way in ways.values()] == [(2, 1)] * 5
    assert [edge["full"] for one in found["path"]["edges"] for edge in one["ports"]] == [200]
    assert [hop[2] for hop in ways["far[1]"]["hops"]] == [0.041, 0.009]
    assert "<svg" in found["path"]["svg"]


def test_the_command_prints_its_address_and_ends_at_a_signal() -> None:
    program = Path(sys.executable).with_name("cellway")
    command = [str(program), "lab", str(FILE), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        parts = urlsplit(address)
        again = subprocess.run(
            [*command, "--port", str(parts.port)], capture_output=True, text=True, check=False
        )
        page = Served(address, parts.port or 0).ask("GET", parts.path)
        process.send_signal(signal.SIGINT)
        assert process.wait(5) == 130
    assert page[0] == 200
    assert again.returncode == 2
    assert f"--port {parts.port}: address already in use" in again.stderr


def test_a_file_that_is_no_scenario_opens_nothing(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text("[run]\nspeed = 1\n")
    program = Path(sys.executable).with_name("cellway")
    done = subprocess.run(
        [str(program), "lab", str(file), "--no-browser"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"{file}:2:1: " in done.stderr
    assert done.stdout == ""


def test_without_a_file_all_scenarios_are_offered() -> None:
    offered = _offered(None)
    assert len(offered) == len(SCENARIOS)
    with serving(*offered) as served:
        _, page = served.ask("GET", served.path)
        for one in offered:
            assert f'<a href="lab/{one.name}">'.encode() in page
        path = f"{served.path}lab/cellular"
        cellular = next(one for one in offered if one.name == "cellular")
        _, content = served.ask("POST", f"{path}/run", job(cellular.text, SHORT))
    assert opened(content)[0]["faults"] == []
