#!/usr/bin/env python3
"""Opens an HTML report in headless Chromium: its plots are drawn and it asks nobody for anything.

usage: html_report_test.py WRITER [--keep DIRECTORY]

WRITER is a program that writes a sample report to the path given to it. Without Chromium the test
is skipped (exit 77). Only Python's standard library.
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PATIENCE_S = 120


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


def run_browser(browser, profile, net_log, page, *options):
    """Standard output of one headless visit; the profile is thrown away by the caller."""
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-default-apps", "--disable-extensions", "--disable-domain-reliability",
        "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}", f"--log-net-log={net_log}",
        "--virtual-time-budget=10000", "--window-size=1280,2400", *options, page.as_uri(),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE_S,
                          check=False, env={**os.environ, "HOME": profile})
    if done.returncode != 0:
        raise AssertionError(f"Chromium ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout.decode(errors="replace")


class Elements(html.parser.HTMLParser):
    """The elements of a page with their attributes, and the texts of scripts and styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def requested_urls(net_log):
    """Every http, https, ws or file URL that the browser's network log has a request for."""
    text = net_log.read_text(errors="replace")
    try:
        log = json.loads(text)
    except json.JSONDecodeError:  # a log cut off at exit lacks its end
        log = json.loads(text.rstrip().rstrip(",") + "]}")
    types = log["constants"]["logEventTypes"]
    wanted = {types[name] for name in ("URL_REQUEST_START_JOB", "URL_REQUEST_ALIVE") if name in types}
    urls = set()
    for event in log["events"]:
        if event.get("type") not in wanted:
            continue
        params = event.get("params") or {}
        if "url" in params:
            urls.add((params["url"], params.get("initiator", "")))
    return urls


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def check_source(text):
    """What can be seen without a browser."""
    page = Elements()
    page.feed(text)
    policies = [meta["content"] for meta in page.of("meta")
                if meta.get("http-equiv") == "Content-Security-Policy"]
    check(len(policies) == 1, "one content security policy")
    check(policies[0].startswith("default-src 'none'"), "the policy forbids everything first")
    check("unsafe" not in policies[0], "the policy names scripts by their hash")
    for tag, attributes in page.elements:
        for name in ("src", "href", "action", "data", "poster", "srcset", "formaction"):
            value = attributes.get(name)
            check(value is None or value.startswith("#") or value == "data:,",
                  f"<{tag} {name}={value!r}> points outside the page")
        check("style" not in attributes, f"<{tag}> has a style of its own, which the policy would drop")
        check(not any(name.startswith("on") for name in attributes), f"<{tag}> has a handler of its own")
    check(page.of("noscript"), "the page says what to do without scripts")
    canvases = page.of("canvas")
    check(canvases, "there are plots")
    identifiers = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    check(len(identifiers) == len(set(identifiers)), "identifiers are unique")
    for canvas in canvases:
        check(canvas.get("role") == "img" and canvas.get("aria-label"), "a plot says what it is")
        check(canvas.get("aria-describedby") in identifiers, "a plot has a table of its numbers")
    return len(canvases)


def check_drawn(dom, canvases):
    page = Elements()
    page.feed(dom)
    root = page.of("html")[0]
    check(root.get("data-plots") == f"{canvases} of {canvases}",
          f"all {canvases} plots were drawn, the page says {root.get('data-plots')}")
    for canvas in page.of("canvas"):
        painted = int(canvas.get("data-painted", "0"))
        # Axes alone paint a few thousand points; an empty canvas none.
        check(painted > 1000, f"{canvas['id']} is painted, {painted} points are")


def check_text_stays_text(dom):
    check("<script>alert" not in dom, "a name is not a script")
    check("data-attacked" not in dom, "no script of a name ran")
    check(re.search(r"&lt;script&gt;document", dom), "the name is shown as it is written")


def main():
    writer = sys.argv[1]
    keep = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[2] == "--keep" else None
    with tempfile.TemporaryDirectory(prefix="raidscope-html-") as folder:
        folder = pathlib.Path(folder)
        page = folder / "report.html"
        subprocess.run([writer, str(page)], check=True, timeout=PATIENCE_S)
        canvases = check_source(page.read_text(encoding="utf-8"))

        browser = chromium()
        if browser is None:
            print("skipped: there is no Chromium to open the page with (apt install chromium)")
            return SKIPPED
        net_log = folder / "net.json"
        dom = run_browser(browser, str(folder / "profile"), net_log, page, "--dump-dom")
        check_drawn(dom, canvases)
        check_text_stays_text(dom)
        outside = sorted(url for url, initiator in requested_urls(net_log)
                         if url != page.as_uri() and ("report.html" in initiator or initiator == "null"
                                                      or initiator.startswith("file:")))
        check(not outside, f"the page asked for {outside}")
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, keep)
            for scheme in ("light", "dark"):
                dark = ["--blink-settings=preferredColorScheme=" + ("0" if scheme == "dark" else "1")]
                run_browser(browser, str(folder / scheme), folder / f"{scheme}.json", page,
                            f"--screenshot={keep / (scheme + '.png')}", *dark)
    print(f"{canvases} plots drawn, nothing requested")
    return 0


if __name__ == "__main__":
    sys.exit(main())
