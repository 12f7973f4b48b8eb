"""Every document that the program prints or keeps, and the texts that other programs read."""
import contextlib
import json
import os
import re
import sqlite3
import subprocess
import unittest

import documents
from support import CliTest
from test_runs import P420I, SHORT
from test_settings import machine


class Documents(CliTest):
    def check(self, name, *words, code=0):
        # support.py has held what was printed against its schema.
        document = self.document(*words, code=code)
        self.assertEqual(document["schema"], f"raidscope.{name}/1")
        self.left.discard(name)
        return document

    def check_text(self, name, text):
        self.assertEqual(json.loads(text)["schema"], f"raidscope.{name}/1")
        self.assertEqual(documents.faults(text)[:5], [], name)
        self.left.discard(name)

    def test_all(self):
        self.left = set(documents.NAMES)
        self.of_inventories()
        self.of_runs()
        self.of_settings()
        self.of_experiments()
        for name in ("presets", "controllers", "schemas", "references", "doctor"):
            words = () if name != "doctor" else ("--sysroot", self.folder)
            self.check(name, name, *words, "--format", "json")
        self.check("rules", "audit", "--list-rules", "--format", "json")
        self.assertEqual(self.left, set(), "no command of this test has printed these")

    def of_inventories(self):
        capture = self.write("p420i.txt", P420I)
        self.check("snapshot", "probe", "--from", capture, "--format", "json")
        self.check("snapshot", "probe", "--format", "json")
        self.check("explanation", "probe", "--from", capture, "--explain", "status", "--format", "json")
        self.check("audit", "audit", "--from", capture, "--format", "json",
                   code=self.run_cli("audit", "--from", capture).returncode)
        other = self.write("other.txt", P420I.replace("10% Read / 90% Write", "25% Read / 75% Write"))
        self.check("diff", "diff", capture, other, "--format", "json", code=2)

    def of_runs(self):
        made = self.folder / "made.dat"
        plan = self.check("plan", "profile", "--target", made, "--size", "16M", "--dry-run", "--format", "json")
        self.check_text("workload", json.dumps(plan["points"][0]["workload"]))
        self.check("list", "profile", "--target", made, "--size", "16M", *SHORT, "--format", "json", "-o", "r.html", "--keep")
        self.check("list", "list", "--format", "json")
        self.check("result", "show", "latest", "--format", "json")
        with contextlib.closing(sqlite3.connect(self.folder / "data" / "raidscope" / "runs.db")) as store:
            for (text,) in store.execute("SELECT document FROM sessions"):
                self.check_text("session", text)
        self.check("testfile", "testfile", "check", made, "--format", "json")
        self.check("export", "export", "latest", "--format", "json")
        others = [entry["run_id"] for entry in self.document("list", "--format", "json")["runs"]]
        self.check("comparison", "compare", *others[:2], "--factor", "workload.name", "--format", "json")
        self.check("decision", "decide", "smart-path", "--from", self.folder / "p420i.txt", "--format", "json",
                   code=self.run_cli("decide", "smart-path", "--from", self.folder / "p420i.txt").returncode)

    def of_settings(self):
        tool = self.folder / "ssacli"
        tool.symlink_to(os.environ["RAIDSCOPE_STANDIN"])
        (self.folder / "ssacli.state").write_text(json.dumps(machine()))
        self.check("settings", "settings", "show", "--ssacli", tool, "--format", "json")
        plan = self.check("settings_plan", "settings", "plan", "--caching", "off", "--ssacli", tool, "--format", "json")
        self.write("settings-plan.json", json.dumps(plan))
        if os.geteuid() == 0:
            words = ("--ssacli", tool, "--journal", self.folder / "journal.json")
            self.expect(0, "settings", "apply", "settings-plan.json", *words)
            self.check_text("settings_journal", (self.folder / "journal.json").read_text())
            self.expect(0, "settings", "restore", *words)
        else:
            self.left.discard("settings_journal")

    def of_experiments(self):
        plan = self.check("experiment", "experiment", "--print-plan", "--arms", "as-is", "--disks", "4", "--target",
                          self.folder / "made.dat", "--format", "json")
        self.write("experiment.json", json.dumps(plan))
        # No controller is known here to have four disks, and so it stops with its state kept.
        self.assertNotEqual(self.run_cli("experiment", "experiment.json").returncode, 0)
        self.check_text("experiment_state", (self.folder / "experiment.json.state").read_text())


class ForOtherPrograms(CliTest):
    def test_prometheus_takes_the_metrics(self):
        tool = os.environ.get("RAIDSCOPE_PROMTOOL")
        if not tool:
            self.skipTest("no promtool; tests/support/promtool gets one")
        target = self.write("odd \"name\" \\ {x}\xe9.dat", b"\0" * (1 << 20))
        self.expect(0, "run", "--target", target, "--engine", "null", "--time", "1", "--ramp", "0", "--no-wait")
        runs = [entry["run_id"] for entry in self.document("list", "--format", "json")["runs"]]
        text = self.expect(0, "export", *runs, "--format", "prometheus").stdout
        checked = subprocess.run([tool, "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""), text)

    def test_nagios_reads_status_and_performance_data(self):
        for name, text in (("p420i.txt", P420I), ("off.txt", P420I.replace("Battery/Capacitor Status: OK", "Battery/Capacitor Status: Failed"))):
            done = self.run_cli("audit", "--from", self.write(name, text), "--format", "nagios")
            self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr)
            first, *_ = done.stdout.splitlines()
            status, bar, data = first.partition(" | ")
            self.assertEqual(status.split(" - ")[0], ("OK", "WARNING", "CRITICAL", "UNKNOWN")[done.returncode])
            self.assertTrue(bar, first)
            # label=value[unit];warn;crit;min;max as the plug-in guidelines have it
            for datum in data.split():
                self.assertRegex(datum, re.compile(r"^[a-z_]+=-?\d+(\.\d+)?(s|%|B|c)?(;[\d.:~@]*){0,4}$"))


if __name__ == "__main__":
    unittest.main()
