"""`cellway lab`: a laboratory in the browser, whose sliders run a scenario."""

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

from cellway.cli.exits import BadInputError, require_file, unwritable
from cellway.cli.options import Force, read_scenario
from cellway.cli.parameters import Argument, Option
from cellway.cli.text import say
from cellway.disk.files import write_text
from cellway.lab.bundle import GENERATOR
from cellway.lab.declared import declared
from cellway.lab.jobs import Offered
from cellway.lab.offline import NoModuleError, offline
from cellway.lab.serving import Laboratory
from cellway.scenario.shipped import STUDIES, Shipped, shipped


def laboratory(
    file: Annotated[
        Path | None,
        Argument(
            metavar="FILE",
            help="A scenario file, or the name of a shipped one; without it all.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        Option(
            metavar="N", help="Port on 127.0.0.1; by default one that is free.", min=1, max=65535
        ),
    ] = None,
    no_browser: Annotated[
        bool, Option("--no-browser", help="Print the address and open no browser.")
    ] = False,
    out: Annotated[
        Path | None,
        Option(
            metavar="FILE",
            help="Write the page with the simulator inside to this file, and serve nothing.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Open a laboratory in the browser: sliders run a scenario, two settings side by side.

    It answers on this machine alone, at an address with a random token, until Ctrl-C ends it.
    Every setting has its command line, which gives the same numbers.
    """
    if out is not None:
        if port is not None or no_browser:
            raise BadInputError("--out serves nothing; expected no --port and no --no-browser")
        _write(file, out, force=force)
        return
    lab = Laboratory({one.name: one for one in _offered(file)})
    try:
        server = lab.start(port or 0)
    except OSError as error:
        raise BadInputError(
            f"--port {port}: {(error.strerror or str(error)).lower()}; expected one that is free"
        ) from error
    with server:
        say(lab.address(server), "Ctrl-C ends the laboratory.")
        sys.stdout.flush()
        if not no_browser:
            webbrowser.open(lab.address(server))
        server.serve_forever(poll_interval=0.2)


def _write(file: Path | None, out: Path, *, force: bool) -> None:
    if file is None:
        raise BadInputError("--out: no scenario file; expected `cellway lab FILE --out HTML`")
    require_file("--out", out, lambda content: GENERATOR.encode() in content, force=force)
    (offered,) = _offered(file)
    try:
        page = offline(offered)
    except NoModuleError as error:
        raise BadInputError(f"--out: {error}") from error
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_text(out, page)
    except OSError as error:
        raise unwritable("--out", out, error) from error
    say(f"written to {out}")


def _offered(file: Path | None) -> list[Offered]:
    known = {one.name: _shipped(one) for one in shipped() if not one.name.startswith(STUDIES)}
    if file is None:
        return [*known.values()]
    if not file.is_file() and str(file) in known:
        return [known[str(file)]]
    scenario = read_scenario(file, [])
    declared(scenario)
    return [Offered(file.stem, str(file), scenario.text)]


def _shipped(one: Shipped) -> Offered:
    (path, text), *others = one.files.items()
    return Offered(one.name, path, text, dict(others))
