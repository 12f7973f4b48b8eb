#!/usr/bin/env python3
"""Opens HTML reports in Chromium: the plots are drawn, with their bands, windows and crossover; hover, keys, switches,
print and raw data work; the page fits a desktop and a phone, says nothing on the console and asks nobody for anything.

usage: html_report_test.py WRITER [--keep DIRECTORY]

WRITER is a program that writes sample reports. With --keep, pictures of them are left in DIRECTORY. Without Chromium
the test is skipped (exit 77). Only Python's standard library.
"""

import csv
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from browser import PATIENCE_S, Browser, chromium

SKIPPED = 77
DESKTOP, PHONE = (1280, 900), (390, 844)


class Elements(html.parser.HTMLParser):
    """The elements of a page with their attributes, and the texts of scripts and styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


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


def check_fits(browser, name):
    wide = browser.value("document.documentElement.scrollWidth")
    room = browser.value("document.documentElement.clientWidth")
    check(wide <= room, f"{name}: the page is {wide} wide where there is room for {room}: " + str(browser.value("""
        [...document.querySelectorAll('main *, .top *')].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
          && !e.closest('.scroll')).slice(0, 5).map(e => e.tagName + '.' + e.className)""")))


def told(browser, plot, what):
    return int(browser.value(f"document.getElementById('{plot}').dataset.{what} || '0'"))


def check_features(browser):
    """Each feature is told by the code that paints it, and the crossover is looked for among the painted points."""
    check(told(browser, "plot-disks-iops-0", "bands") == 3, "a band for each of three arms over the disks")
    check(told(browser, "plot-disks-latency-0", "bands") == 3, "and of their latency")
    check(told(browser, "plot-disks-iops-0", "crossover") == 1, "the crossover is drawn")
    check(told(browser, "plot-sweep-iops-0", "bands") == 2, "a band for each configuration over the queue depth")
    check(told(browser, "plot-iops-time-0", "rounds") == 6, "the rounds of a run are marked")
    check(told(browser, "plot-iops-time-0", "steady") > 0, "the steady-state window is marked")
    share = browser.value("""(() => {
        const chart = raidscopePlots.charts.get('plot-disks-iops-0'), area = chart.chartArea;
        const found = JSON.parse(document.getElementById('plot-data').textContent).disks[0].crossover;
        const ratio = chart.currentDevicePixelRatio, x = Math.round(chart.scales.x.getPixelForValue(found.estimate) * ratio);
        const pixels = chart.ctx.getImageData(x - 1, area.top * ratio, 3, area.height * ratio).data;
        let rows = 0;
        for (let y = 0; y < area.height * ratio; y += 1) {
          let alpha = 0;
          for (let c = 0; c < 3; c += 1) alpha = Math.max(alpha, pixels[(y * 3 + c) * 4 + 3]);
          if (alpha > 200) rows += 1;
        }
        return rows / (area.height * ratio);
    })()""")
    check(share > 0.95, f"a line stands at the crossover over the whole height, {share} of it is painted")


def check_hover(browser):
    place = browser.value("""(() => {
        const canvas = document.getElementById('plot-disks-iops-0');
        canvas.scrollIntoView({ block: 'center' });
        const chart = raidscopePlots.charts.get(canvas.id), point = chart.getDatasetMeta(0).data[2];
        const box = canvas.getBoundingClientRect();
        return [box.left + point.x, box.top + point.y];
    })()""")
    browser.move(*place)
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    said = browser.value("""(() => {
        const tip = raidscopePlots.charts.get('plot-disks-iops-0').tooltip;
        return tip.opacity > 0 ? tip.body.flatMap(part => part.lines).join(' ') : '';
    })()""")
    check("cache" in said and "IOPS at 12 disks" in said and "95 % interval" in said, f"hovering says: {said!r}")


def check_keys(browser):
    plot = "plot-disks-iops-0"
    button = f"document.querySelector('button.switch[data-plot=\"{plot}\"][data-axis=y]')"
    scale = f"raidscopePlots.charts.get('{plot}').scales.y.type"
    check(browser.value(scale) == "linear", "throughput begins linear")
    browser.value(f"{button}.focus()")
    for key, code, text, expected in (("Enter", 13, "\r", "logarithmic"), (" ", 32, " ", "linear")):
        browser.key(key, code, text)
        check(browser.value(scale) == expected, f"{key!r} on the switch makes the axis {expected}")
        check(browser.value(f"{button}.getAttribute('aria-pressed')") == str(expected == "logarithmic").lower(),
              "the switch says how it stands")
    browser.value(f"document.getElementById('{plot}').focus()")
    said = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        browser.key(key)
        said.append(browser.value("document.getElementById('plot-says').textContent"))
    check("at 4 disks" in said[0] and "at 8 disks" in said[1], f"arrows walk along a line: {said}")
    check("Smart Path" in said[2], f"and to the next line: {said}")
    browser.key("Escape")
    reached = set()
    browser.value("document.activeElement.blur()")
    for _ in range(200):
        browser.key("Tab", 9)
        reached.add(browser.value("document.activeElement.tagName"))
    check({"A", "BUTTON", "CANVAS"} <= reached, f"Tab reaches links, switches and plots: {reached}")


def check_raw_data(browser, folder):
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    for kind in ("json", "csv"):
        browser.value(f"document.querySelector('[data-download={kind}]').click()")
        file = folder / f"raidscope-report.{kind}"
        deadline = time.monotonic() + PATIENCE_S
        while not file.exists() and time.monotonic() < deadline:
            browser.value("new Promise(done => setTimeout(done, 50))")
        check(file.exists(), f"{file.name} was saved")
    document = json.loads((folder / "raidscope-report.json").read_text())
    rows = list(csv.DictReader((folder / "raidscope-report.csv").open(newline="")))
    check(document["schema"] == "raidscope.export/1" and document["runs"], "the JSON is an export")
    check(len(rows) == len(document["runs"]), "the CSV has a row a run")
    for run, row in zip(document["runs"], rows):
        check(float(row["iops"]) == run["iops"], "both have the same figures")


def check_print(browser):
    browser.scheme("dark")
    pdf = browser.call("Page.printToPDF", printBackground=False)["data"]
    check(len(pdf) > 20000, "the page prints")
    browser.scheme("light")


def main():
    writer = sys.argv[1]
    keep = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[2] == "--keep" else None
    with tempfile.TemporaryDirectory(prefix="raidscope-html-") as folder:
        folder = pathlib.Path(folder)
        pages = {}
        for name in ("names", "study"):
            page = folder / f"{name}.html"
            subprocess.run([writer, str(page), *(["study"] if name == "study" else [])], check=True, timeout=PATIENCE_S)
            pages[page] = check_source(page.read_text(encoding="utf-8"))
        program = chromium()
        if program is None:
            print("skipped: there is no Chromium to open the page with (apt install chromium)")
            return SKIPPED
        browser = Browser(program, folder / "profile")
        try:
            for page, canvases in pages.items():
                for scheme, size in (("light", DESKTOP), ("dark", PHONE)):
                    browser.scheme(scheme)
                    browser.size(*size, mobile=size == PHONE)
                    browser.requests.clear()
                    browser.open(page)
                    dom = browser.value("document.documentElement.outerHTML")
                    check_drawn(dom, canvases)
                    check_fits(browser, f"{page.stem}, {scheme}, {size[0]} points")
                    if page.stem == "names":
                        check_text_stays_text(dom)
                    else:
                        check_features(browser)
                    outside = [url for url in browser.requests if url not in (page.as_uri(), "data:,")]
                    check(not outside, f"the page asked for {outside}")
                    if keep is not None:
                        keep.mkdir(parents=True, exist_ok=True)
                        browser.picture(keep / f"{page.stem}-{scheme}-{size[0]}.png", whole=page.stem == "names")
            browser.size(*DESKTOP)
            browser.scheme("light")
            browser.open(folder / "study.html")
            check_hover(browser)
            check_keys(browser)
            check_raw_data(browser, folder)
            browser.open(folder / "names.html")
            check_print(browser)
            # The test itself reads points of a plot.
            browser.console = [said for said in browser.console if "getImageData" not in said]
            check(not browser.console, f"the console is silent: {browser.console}")
        finally:
            browser.close()
    print(f"{sum(pages.values())} plots drawn in light and dark, on a desktop and a phone; nothing requested")
    return 0


if __name__ == "__main__":
    sys.exit(main())
