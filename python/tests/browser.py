"""Headless Chromium over its debugging pipe: opens a page, runs scripts in it, says what it did."""

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_ENABLED = ("Page", "Runtime", "Log", "Network")
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--remote-debugging-pipe",
    # A frame of a notebook is in the process of its page, where one session reaches it.
    "--disable-features=IsolateSandboxedIframes",
)

COLOURED = """
[...document.querySelectorAll("figure canvas")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [r, g, b, a] = data.subarray(at, at + 4);
    if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 60) found += 1;
  }
  return found;
})
"""
"""Number of coloured points of each chart."""
DRAWN = "[...document.querySelectorAll('figure canvas')].map((one) => one.toDataURL())"
FOCUSED = """
(() => {
  const one = document.activeElement;
  return one.getAttribute("aria-label") || one.textContent.slice(0, 40) || one.tagName;
})()
"""
BELOW = "document.documentElement.scrollWidth - innerWidth"
FAINT = """
(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    const colour = getComputedStyle(one).backgroundColor;
    return (numbers(colour)[3] ?? 1) > 0 ? colour : behind(one.parentElement);
  };
  const texts = [...document.querySelectorAll("body *:not(script, style)")].filter((one) =>
    one.checkVisibility() &&
    [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return texts.map((one) => {
    const style = getComputedStyle(one);
    const ink = one.closest("svg") ? style.fill : style.color;
    const [low, high] = [light(ink), light(behind(one))].sort((a, b) => a - b);
    return [(high + 0.05) / (low + 0.05), one.textContent.slice(0, 30)];
  }).filter(([contrast]) => contrast < 4.5);
})()
"""
"""Texts with less contrast than WCAG 2.2 asks for (1.4.3), and what they have."""


class Tab:
    """A page in the browser, and the requests, exceptions and console lines since it opened."""

    def __init__(self, to: int, answers: int) -> None:
        self._to, self._from, self._rest = to, answers, b""
        self._number, self._session = 0, ""
        self.events: list[dict[str, Any]] = []
        self.frame: int | None = None
        """Context in which `run` evaluates; `None` for the page."""

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        """The answer to a command of the protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                return dict(answer["result"])
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._from, 1 << 20)
            assert more, "the browser has ended"
            self._rest += more
        one, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(one))

    def attach(self) -> None:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        found = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        for domain in _ENABLED:
            self.ask(f"{domain}.enable")

    def open(
        self,
        file: Path | str,
        *,
        width: int = 1200,
        dark: bool = False,
        still: bool = False,
        scripts: bool = True,
    ) -> None:
        """Opens a file or an address and waits until it is loaded and drawn."""
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.ask("Emulation.setEmulatedMedia", features=features)
        self.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.events.clear()
        address = file if isinstance(file, str) else file.resolve().as_uri()
        self.ask("Page.navigate", url=address)
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self._next())
        if scripts:
            self.run(
                "new Promise((done) => { const look = () => "
                "document.querySelector('#charts:empty, #study-charts:empty') "
                "? setTimeout(look, 20) : "
                "requestAnimationFrame(() => requestAnimationFrame(() => done(1))); look(); })"
            )

    def run(self, script: str) -> Any:
        """The value of an expression in the page, awaited if it is a promise."""
        where = {} if self.frame is None else {"contextId": self.frame}
        found = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, **where
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """A key pressed and released."""
        codes = {"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32}
        given: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0]))}
        given |= {"text": key} if len(key) == 1 else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **given)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **given)

    def complaints(self) -> list[str]:
        """Exceptions, lines of the console and refusals of the policy."""
        methods = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        return [json.dumps(one["params"]) for one in self.events if one.get("method") in methods]

    def requests(self) -> list[str]:
        """Addresses that were asked for, but for data in the page."""
        asked = [one for one in self.events if one.get("method") == "Network.requestWillBeSent"]
        addresses = [one["params"]["request"]["url"] for one in asked]
        return [one for one in addresses if not one.startswith("data:")]

    def picture(self) -> str:
        """The whole page as PNG, in base64."""
        return str(
            self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        )


@contextmanager
def browser(folder: Path) -> Iterator[Tab]:
    """A tab of a browser that keeps its files in `folder`; skips the test where there is none."""
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    (asked, ask), (answer, answered) = os.pipe(), os.pipe()
    # The browser reads from 3 and writes to 4, whatever they are here.
    ends = [fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (asked, answered)]

    def ready() -> None:
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    with subprocess.Popen(
        [program, *_OPTIONS, f"--user-data-dir={folder}"],
        preexec_fn=ready,  # noqa: PLW1509 - nothing else gives a child these numbers
        pass_fds=(3, 4),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        for one in (asked, answered, *ends):
            os.close(one)
        tab = Tab(ask, answer)
        try:
            tab.attach()
            yield tab
            tab._session = ""
            tab.ask("Browser.close")
        finally:
            process.terminate()
            os.close(ask)
            os.close(answer)
