"""Results of other tools: read, tied to an inventory, stored, shown with their origin; and raidscope's own exports.
The texts are written for these tests; only the fio runs are real."""
import csv
import io
import json
import os
import shutil
import subprocess
import unittest

from support import ROOT, CliTest
from test_runs import SHORT

P420I = ROOT / "tests" / "captures" / "p420i-trap-beside-cached-array" / "capture.txt"

SQLIO = """C:\\> sqlio -kR -s20 -frandom -b64 -t4 -o16 -LS -BN E:\\probe.dat
sqlio v1.5.SG
using system counter for latency timings, 2539060 counts per second
4 threads reading for 20 secs from file E:\\probe.dat
\tusing 64KB random IOs
\tenabling multiple I/Os per thread with 16 outstanding
\tbuffering set to not use file nor disk caches (as is SQL Server)
using specified size: 4096 MB for file: E:\\probe.dat
initialization done
CUMULATIVE DATA:
throughput metrics:
IOs/sec:  9876.54
MBs/sec:   617.28
latency metrics:
Min_Latency(ms): 1
Avg_Latency(ms): 5
Max_Latency(ms): 88
histogram:
ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+
%:  0  2  4  9 20 25 20 10  5  3  1  1  0  0  0  0  0  0  0  0  0  0  0  0  0
"""
FIO = json.dumps({"fio version": "fio-3.33", "jobs": [{
    "jobname": "one", "groupid": 0, "error": 0,
    "job options": {"filename": "/dev/sdb", "direct": "1", "ioengine": "libaio", "bs": "4k", "rw": "randread", "iodepth": "4"},
    "read": {"io_bytes": 81920000, "io_kbytes": 80000, "bw_bytes": 40960000, "runtime": 2000, "total_ios": 20000,
             "clat_ns": {"mean": 396000.0}, "lat_ns": {"min": 90000, "max": 1000000, "mean": 400000.0}},
    "write": {"io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0, "runtime": 0, "total_ios": 0}}]}, indent=1)


class Moving(CliTest):
    """Results go from one machine's store to another's with their snapshots, and are compared there."""

    def test_a_laptop_and_a_server(self):
        """The laptop has a drive of its own and no Smart Array; both were measured with the same line of SQLIO."""
        laptop, server, desk = (self.folder / name for name in ("laptop.db", "server.db", "desk.db"))
        host = self.write("laptop.json", self.expect(0, "probe", "--format", "json").stdout)
        slow = self.write("laptop.txt", SQLIO)
        fast = self.write("server.txt", SQLIO.replace("9876.54", "29629.62").replace("617.28", "1851.85"))
        self.expect(0, "import", slow, "--inventory", host, "--store", laptop)
        self.expect(0, "import", fast, "--inventory", P420I, "--logical-drive", "0:2", "--store", server)
        for number, store in enumerate((laptop, server)):
            self.expect(0, "export", "latest", "-o", f"{number}.json", "--store", store)
            self.expect(0, "import", f"{number}.json", "--store", desk)
        runs = {run["run_id"]: self.document("show", run["run_id"], "--store", desk, "--format", "json")
                for run in self.document("list", "--store", desk, "--format", "json")["runs"]}
        self.assertEqual({run["origin"] for run in runs.values()}, {"imported"})
        self.assertTrue(all(run["inventory_before"] for run in runs.values()))
        by_rate = sorted(runs, key=lambda run: runs[run]["iops"])
        compared = self.document("compare", f"laptop={by_rate[0]}", f"server={by_rate[1]}", "--store", desk, "--format", "json")
        self.assertTrue(compared["conditional"], "nobody told which of the laptop's drives it was")
        self.assertIn("behind", compared["unknown"])
        ratio = next(one["ratio"]["estimate"] for one in compared["metrics"] if one["metric"] == "iops")
        self.assertAlmostEqual(ratio, 3.0, places=2)
        # A run that was measured here knows its drive, and so what differs is named.
        target = self.write("here.dat", os.urandom(1 << 20))
        self.expect(0, "run", "--target", target, "--block-size", "64k", "--workers", "4", "--queue-depth", "16",
                    "--time", "1", "--ramp", "0", "--no-wait", "--store", desk)
        mixed = self.document("compare", f"laptop={self.document('show', 'latest', '--store', desk, '--format', 'json')['run_id']}",
                              f"server={by_rate[1]}", "--mix-origins", "--store", desk, "--format", "json")
        self.assertIn("behind", mixed["differing"] + mixed["in_the_way"])


class Import(CliTest):
    def test_a_result_is_tied_to_a_given_inventory(self):
        file = self.write("sqlio.txt", SQLIO.replace("\n", "\r\n").encode("utf-16"))
        listed = self.document("import", file, "--inventory", P420I, "--logical-drive", "0:2", "--format", "json")
        self.assertEqual(listed["schema"], "raidscope.list/1")
        self.assertEqual([r["origin"] for r in listed["runs"]], ["imported"])
        run = self.document("show", listed["runs"][0]["run_id"], "--format", "json")
        self.assertEqual(run["origin"], "imported")
        self.assertEqual(run["inventory_origin"], "given")
        self.assertEqual((run["target"]["controller"], run["target"]["logical_drive"]), ("0", 2))
        snapshot = self.document("probe", "--from", P420I, "--format", "json")
        drive = [d for a in snapshot["controllers"][0]["arrays"] for d in a["logical_drives"] if d["number"] == 2][0]
        self.assertEqual(run["inventory_before"]["fingerprint"], drive["fingerprint"])
        self.assertIsNone(run["inventory_after"])
        self.assertIsNone(run["config_changed"])
        self.assertIn("C09", [f["rule"] for f in run["audit"]])
        self.assertAlmostEqual(run["latency_us"]["mean"], 64 / 9876.54 * 1e6, places=3)
        for name in ("p50", "p90", "p95", "p99", "p99_9", "p99_99"):
            self.assertIsNone(run["latency_us"][name])
        self.assertIn("Avg_Latency(ms): 5", run["workload"]["source"])
        self.assertIsNone(run["started_at"])
        self.assertIsNone(run["cpu"]["user_s"])

    def test_a_result_stands_beside_its_physical_bound(self):
        file = self.write("sqlio.txt", SQLIO)
        where = ("--inventory", P420I, "--logical-drive", "0:2", "--format", "json")
        plain = self.document("import", file, *where)["runs"][0]["run_id"]
        checks = self.document("show", plain, "--format", "json")["checks"]
        self.assertIn("links of 4 drives", checks["bound_name"])
        self.assertAlmostEqual(checks["physical_bound_iops"], 4 * 600e6 / 65536, places=3)
        self.assertEqual([s for s in checks["suspicions"] if "bound" in s], [])
        done = self.expect(0, "import", file, *where, "--drive-iops", "150")
        self.assertIn("W11 error", done.stderr)
        run = self.document("show", json.loads(done.stdout)["runs"][0]["run_id"], "--format", "json")
        self.assertEqual(run["checks"]["physical_bound_iops"], 600)
        self.assertEqual(run["checks"]["bound_name"], "4 drives × 150 IOPS (--drive-iops)")
        self.assertTrue(any("above the physical bound of 600" in s for s in run["checks"]["suspicions"]), run["checks"])
        self.assertIn("W11", [f["rule"] for f in run["audit"] if f["severity"] == "error"])
        shown = self.expect(0, "show", run["run_id"]).stdout
        self.assertIn("bound 600 IOPS", " ".join(shown.split()))
        self.assertIn("above the physical bound", " ".join(shown.split()))
        slow = self.document("import", file, *where, "--drive-mbps", "200")["runs"][0]["run_id"]
        checks = self.document("show", slow, "--format", "json")["checks"]
        self.assertAlmostEqual(checks["physical_bound_iops"], 4 * 200e6 / 65536, places=3)
        for word in ("0", "-1", "many", "", "nan"):
            self.assertIn("--drive-iops", self.expect(64, "import", file, *where, "--drive-iops", word).stderr)

    def test_a_result_that_no_drive_is_known_of_has_no_bound(self):
        other = self.write("other.json", FIO.replace("/dev/sdb", "/dev/sdq"))
        run = self.document("import", other, "--inventory", P420I, "--drive-iops", "100", "--format", "json")["runs"][0]
        checks = self.document("show", run["run_id"], "--format", "json")["checks"]
        self.assertIsNone(checks["physical_bound_iops"])
        self.assertIsNone(checks["bound_name"])

    def test_the_audit_of_a_plan_says_its_bounds(self):
        words = ("audit", "--from", P420I, "--logical-drive", "0:2", "--size", "100G", "--block-size", "64k",
                 "--read-percent", "100,0", "--queue-depth", "1,64", "--drive-iops", "150")
        said = [line for line in self.run_cli(*words).stderr.splitlines() if "physical bound of" in line]
        self.assertEqual(len(said), 4, said)
        self.assertTrue(all("600 IOPS (4 drives × 150 IOPS (--drive-iops))" in line for line in said if "read" in line), said)
        self.assertTrue(all("300 IOPS" in line and "a write on RAID 1+0 is 2 requests" in line
                            for line in said if "write" in line.split("\"")[1]), said)
        self.assertNotIn("physical bound", self.run_cli(*words, "--quiet").stderr)
        self.assertIn("--drive-mbps", self.expect(64, "audit", "--from", P420I, "--drive-mbps", "fast").stderr)

    def test_a_changed_configuration_is_w17(self):
        after = self.write("after.txt", P420I.read_text().replace("Caching:  Disabled", "Caching:  Enabled"))
        run = self.document("import", self.write("sqlio.txt", SQLIO), "--inventory", P420I, "--inventory-after", after,
                            "--logical-drive", "0:2", "--format", "json")["runs"][0]
        run = self.document("show", run["run_id"], "--format", "json")
        self.assertIs(run["config_changed"], True)
        self.assertIn("W17", [f["rule"] for f in run["audit"]])

    def test_the_origin_is_shown_everywhere(self):
        self.expect(0, "import", self.write("sqlio.txt", SQLIO), "--inventory", P420I)
        for words in (("list",), ("show", "latest"), ("report", "latest"), ("report", "latest", "--format", "markdown"),
                      ("report", "latest", "--format", "html"), ("report", "latest", "--format", "csv"),
                      ("export", "latest", "--format", "prometheus"), ("export", "latest")):
            self.assertIn("imported", self.expect(0, *words).stdout, words)

    def test_the_disk_s_name_tells_the_drive(self):
        run = self.document("import", self.write("fio.json", FIO), "--inventory", P420I, "--format", "json")["runs"][0]
        self.assertEqual(self.document("show", run["run_id"], "--format", "json")["target"]["logical_drive"], 2)
        other = self.write("other.json", FIO.replace("/dev/sdb", "/dev/sdq"))
        run = self.document("import", other, "--inventory", P420I, "--format", "json")["runs"][0]
        self.assertIsNone(self.document("show", run["run_id"], "--format", "json")["target"]["logical_drive"])
        self.expect(64, "import", other, "--inventory", P420I, "--logical-drive", "0:9")

    def test_before_and_after(self):
        after = self.document("probe", "--from", P420I, "--format", "json")
        for array in after["controllers"][0]["arrays"]:
            for drive in array["logical_drives"]:
                drive["caching"] = "enabled"
        run = self.document("import", self.write("fio.json", FIO), "--inventory", P420I, "--inventory-after",
                            self.write("after.json", json.dumps(after)), "--format", "json")["runs"][0]
        shown = self.document("show", run["run_id"], "--format", "json")
        self.assertIs(shown["config_changed"], True)
        self.assertNotEqual(shown["inventory_before"]["fingerprint"], shown["inventory_after"]["fingerprint"])
        self.expect(64, "import", self.write("fio.json", FIO), "--inventory-after", P420I)

    def test_without_an_inventory_the_machine_is_probed(self):
        done = self.run_cli("import", self.write("fio.json", FIO), "--format", "json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        shown = self.document("show", json.loads(done.stdout)["runs"][0]["run_id"], "--format", "json")
        self.assertEqual(shown["inventory_origin"], "probed")
        self.assertIsNotNone(shown["inventory_before"])
        self.assertIn("when the result was imported", " ".join(shown["workload"]["warnings"]))

    def test_files_are_taken_together_or_not_at_all(self):
        good, cut = self.write("good.json", FIO), self.write("cut.json", FIO[:200])
        done = self.expect(65, "import", good, cut, "--inventory", P420I)
        self.assertIn("cut.json:", done.stderr)
        self.assertIn("nothing was stored", done.stderr)
        self.assertEqual(self.document("list", "--format", "json")["runs"], [])
        self.expect(66, "import", good, self.folder / "none.json", "--inventory", P420I)
        self.expect(65, "import", self.write("empty", ""), "--inventory", P420I)
        self.assertIn("SQLIO", self.expect(65, "import", self.write("odd.txt", "hello\n"), "--inventory", P420I).stderr)
        self.expect(64, "import")
        self.expect(64, "import", good, "--as", "nothing")
        self.assertEqual(self.document("list", "--format", "json")["runs"], [])
        self.assertEqual(len(self.document("import", good, self.write("s.txt", SQLIO), "--inventory", P420I,
                                           "--format", "json")["runs"]), 2)

    def test_a_part_left_out_is_said(self):
        file = self.write("sqlio.txt", SQLIO + SQLIO[:400])
        done = self.expect(1, "import", file, "--inventory", P420I, "--format", "json")
        self.assertEqual(len(json.loads(done.stdout)["runs"]), 1)
        self.assertIn("sqlio.txt:22", done.stderr)

    def test_standard_input(self):
        done = self.expect(0, "import", "-", "--inventory", P420I, stdin=SQLIO)
        self.assertIn("imported", done.stdout)

    def test_documents_fit_their_schemas(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        self.expect(0, "import", self.write("sqlio.txt", SQLIO), self.write("fio.json", FIO), "--inventory", P420I)
        for name, words in (("list", ("list", "--format", "json")), ("export", ("export", "latest"))):
            schema = json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text())
            jsonschema.Draft202012Validator(schema).validate(self.document(*words))
        schema = json.loads((ROOT / "docs" / "schema" / "result.schema.json").read_text())
        for run in self.document("list", "--format", "json")["runs"]:
            jsonschema.Draft202012Validator(schema).validate(self.document("show", run["run_id"], "--format", "json"))


class Export(CliTest):
    def test_an_import_of_an_export_restores_the_runs(self):
        target = self.folder / "own.dat"
        self.expect(0, "testfile", "create", target, "--size", "8M")
        self.expect(0, "run", "--target", target, "--inventory", P420I, "--logical-drive", "0:2", "--engine", "psync", *SHORT)
        self.expect(0, "import", self.write("sqlio.txt", SQLIO), "--inventory", P420I)
        ids = [r["run_id"] for r in self.document("list", "--format", "json")["runs"]]
        self.assertEqual(len(ids), 2)
        out = self.folder / "out.json"
        self.expect(0, "export", *ids, "-o", out)
        exported = json.loads(out.read_text())
        self.assertEqual(exported["schema"], "raidscope.export/1")
        other = self.folder / "elsewhere.db"
        listed = self.document("import", out, "--store", other, "--format", "json")
        self.assertEqual({r["run_id"] for r in listed["runs"]}, set(ids))
        for run in ids:
            here = self.document("show", run, "--format", "json")
            self.assertEqual(self.document("show", run, "--store", other, "--format", "json"), here)
        self.assertEqual({r["origin"] for r in listed["runs"]}, {"measured", "imported"})
        again = self.document("export", *ids, "--store", other)
        self.assertEqual((again["runs"], again["snapshots"]), (exported["runs"], exported["snapshots"]))
        # The same once more is the same; a changed number is another result.
        self.expect(0, "import", out, "--store", other)
        self.assertEqual(len(self.document("list", "--store", other, "--format", "json")["runs"]), 2)
        exported["runs"][0]["iops"] += 1
        changed = self.expect(65, "import", self.write("changed.json", json.dumps(exported)), "--store", other)
        self.assertIn(exported["runs"][0]["run_id"], changed.stderr)
        self.expect(64, "import", out, "--inventory", P420I, "--store", other)

    def test_csv_and_prometheus(self):
        self.expect(0, "import", self.write("fio.json", FIO), "--inventory", P420I)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "export", "latest", "--format", "csv").stdout)))
        self.assertEqual(rows[0]["iops"], "10000")
        self.assertEqual(rows[0]["started_at"], "")
        text = self.expect(0, "export", "latest", "-o", self.folder / "x.prom") and (self.folder / "x.prom").read_text()
        self.assertRegex(text, r'(?m)^raidscope_run_iops\{.*origin="imported".*\} 10000(\.0)?$')
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) raidscope_run_\w+ .+|raidscope_run_\w+\{.*\} [0-9.e+-]+)$')
        self.expect(64, "export", "latest", "--format", "html")
        self.expect(64, "export")
        self.expect(66, "export", "nothing")


class RealFio(CliTest):
    """What fio prints on this machine, against its own numbers."""

    def fio(self, form, *more):
        if shutil.which("fio") is None:
            self.skipTest("needs fio")
        target = self.folder / "fio.dat"
        done = subprocess.run(["fio", "--name=real", f"--filename={target}", "--size=8m", "--runtime=1", "--time_based",
                               "--bs=4k", f"--output-format={form}", *more], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.write("result.json", done.stdout)
        runs = self.document("import", out, "--inventory", P420I, "--logical-drive", "0:1", "--format", "json")["runs"]
        return (json.loads(done.stdout[done.stdout.index("{"):]),
                [self.document("show", r["run_id"], "--format", "json") for r in runs])

    def test_json(self):
        theirs, ours = self.fio("json", "--rw=randread", "--ioengine=psync", "--iodepth=1")
        read = theirs["jobs"][0]["read"]
        self.assertEqual(len(ours), 1)
        self.assertAlmostEqual(ours[0]["iops"], read["iops"], delta=read["iops"] * 1e-4)
        self.assertEqual(ours[0]["read"]["ios"], read["total_ios"])
        self.assertAlmostEqual(ours[0]["bytes_per_s"], read["bw_bytes"], delta=read["bw_bytes"] * 1e-3)
        self.assertAlmostEqual(ours[0]["latency_us"]["mean"], read["lat_ns"]["mean"] / 1000, places=3)
        self.assertAlmostEqual(ours[0]["latency_us"]["p99"], read["clat_ns"]["percentile"]["99.000000"] / 1000, places=3)
        self.assertEqual(ours[0]["histogram"]["index"], [])
        self.assertIs(ours[0]["engine"]["direct"], False)

    def test_json_plus_within_both_bounds(self):
        theirs, ours = self.fio("json+", "--rw=randrw", "--ioengine=psync", "--lat_percentiles=1", "--numjobs=2")
        self.assertEqual(len(ours), 1, "one group")
        run = ours[0]
        self.assertEqual(run["read"]["ios"], sum(j["read"]["total_ios"] for j in theirs["jobs"]))
        self.assertEqual(sum(run["histogram"]["count"]), run["read"]["ios"] + run["write"]["ios"])
        # The same ranks in fio's own bins, whose middles are at most 1/128 off; ours at most 1/64 high.
        bins = {}
        for job in theirs["jobs"]:
            for way in ("read", "write"):
                for at, count in job[way]["lat_ns"]["bins"].items():
                    bins[int(at)] = bins.get(int(at), 0) + count
        total, seen, wanted = sum(bins.values()), 0, {}
        for at in sorted(bins):
            seen += bins[at]
            for name, q in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99_9", 0.999)):
                if name not in wanted and seen >= q * total:
                    wanted[name] = at / 1000
        for name, fio in wanted.items():
            got = run["latency_us"][name]
            self.assertGreaterEqual(got, fio * (1 - 1 / 128), name)
            self.assertLessEqual(got, fio * (1 + 1 / 64), name)

    def test_one_job_s_percentiles_within_both_bounds(self):
        theirs, ours = self.fio("json+", "--rw=randwrite", "--ioengine=psync", "--lat_percentiles=1")
        told = theirs["jobs"][0]["write"]["lat_ns"]["percentile"]
        for name, key in (("p50", "50.000000"), ("p90", "90.000000"), ("p95", "95.000000"), ("p99", "99.000000"),
                          ("p99_9", "99.900000")):
            self.assertAlmostEqual(ours[0]["latency_us"][name], told[key] / 1000, places=3)


if __name__ == "__main__":
    unittest.main()
