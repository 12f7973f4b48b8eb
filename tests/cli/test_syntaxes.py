"""Workloads in other tools' words, on the command line."""
import json
import unittest

from support import ROOT, CliTest

WORKLOADS = ROOT / "tests" / "workloads"
LINE = "-s120 -kR -frandom -o16 -b64 -t4 -LS -BN"


class Syntaxes(CliTest):
    def plan(self, *words):
        return self.document("run", *words, "--dry-run", "--format", "json")

    def setUp(self):
        super().setUp()
        self.target = self.write("testfile.dat", b"\1" * (1 << 20))

    def test_every_line_of_the_first_study(self):
        for name in ("", "sqlio ", ".\\SQLIO.EXE "):
            plan = self.plan("--sqlio", f"{name}{LINE} testfile.dat", "--target", self.target)
            workload = plan["points"][0]["workload"]
            self.assertEqual(workload["outstanding_total"], 64)
            self.assertEqual(workload["block_bytes"], [65536])
            self.assertEqual(workload["duration_s"], 120)
            self.assertEqual(workload["ramp_s"], 0)
            self.assertEqual(workload["targets"], [str(self.target)])
            self.assertEqual(workload["source"], f"{name}{LINE} testfile.dat")
        text = self.expect(0, "run", "--sqlio", f"{LINE} x", "--target", self.target, "--dry-run").stdout
        self.assertIn("at the device: 64 outstanding: 4 workers × 16", text)
        self.assertIn("note: SQLIO has no ramp-up", text)

    def test_an_audit_looks_at_the_planned_test(self):
        capture = ROOT / "tests" / "captures" / "p420i-trap-beside-cached-array" / "capture.txt"
        words = ("audit", "--from", capture, "--logical-drive", "0:2", "--format", "json")
        bare = json.loads(self.run_cli(*words).stdout)
        planned = json.loads(self.run_cli(*words, "--target", self.target, "--sqlio", f"{LINE} testfile.dat").stdout)
        found = {finding["rule"] for finding in planned["findings"]} - {finding["rule"] for finding in bare["findings"]}
        self.assertIn("W01", found, "an area of 1 MiB lies in the cache")
        self.assertEqual({rule[0] for rule in found} - {"W", "O"}, set())
        self.assertIn("not mapped", self.expect(64, *words, "--sqlio", WORKLOADS / "first-study.bat").stderr)
        self.assertIn("--size", self.expect(66, *words, "--sqlio", f"{LINE} nowhere.dat", "--target", "nowhere.dat").stderr)

    def test_a_script_with_drive_letters(self):
        plan = self.plan("--sqlio", WORKLOADS / "first-study.bat", "--map", f"D:={self.folder}")
        self.assertEqual([p["workload"]["outstanding_total"] for p in plan["points"]], [8, 64, 64])
        self.assertEqual(plan["points"][0]["workload"]["targets"], [str(self.target)])
        unmapped = self.expect(64, "run", "--sqlio", WORKLOADS / "first-study.bat", "--dry-run").stderr
        self.assertIn("D:\\testfile.dat is not mapped", unmapped)
        self.assertIn("--map 'D:=PATH'", unmapped)

    def test_iometer_and_raw_disks(self):
        plan = self.plan("--iometer", WORKLOADS / "second-study.icf", "--map", f"1={self.target}")
        workload = plan["points"][0]["workload"]
        self.assertEqual(workload["outstanding_total"], 512)
        self.assertEqual(workload["alignment_bytes"], 512)
        self.assertEqual(workload["targets"], [str(self.target)])
        self.assertTrue(any("512 outstanding: 8 workers × 64" in w for w in plan["warnings"]))
        self.assertIn("PHYSICALDRIVE:1", self.expect(64, "run", "--iometer", WORKLOADS / "second-study.icf", "--dry-run").stderr)

    def test_fio_and_diskspd(self):
        job = self.write("a.fio", "[db]\nioengine=libaio\nrw=randrw\nrwmixread=67\nbs=4k\niodepth=8\ndirect=1\nruntime=9m\ntime_based\nnorandommap\n")
        workload = self.plan("--fio", job, "--target", self.target)["points"][0]["workload"]
        self.assertEqual((workload["read_percent"], workload["outstanding_total"], workload["duration_s"]), (67, 8, 540))
        workload = self.plan("--diskspd", "-b4K -r -o8 -t2 -Su -d30 #2", "--map", f"#2={self.target}", "--time", "5")["points"][0]["workload"]
        self.assertEqual((workload["duration_s"], workload["outstanding_total"], workload["targets"]), (5, 16, [str(self.target)]))

    def test_what_cannot_be_understood_is_65_with_file_and_line(self):
        job = self.write("bad.fio", "[a]\nrw=read\nloops=3\n")
        said = self.expect(65, "run", "--fio", job, "--target", self.target, "--dry-run").stderr
        self.assertIn("bad.fio, line 3", said)
        self.assertIn("loops=3", said)
        self.expect(65, "run", "--sqlio", "-kX x", "--target", self.target, "--dry-run")
        self.expect(66, "run", "--iometer", "none.icf", "--target", self.target, "--dry-run")
        self.expect(64, "run", "--sqlio", f"{LINE} x", "--fio", job, "--target", self.target, "--dry-run")
        self.expect(64, "run", "--sqlio", f"{LINE} x", "--target", self.target, "--target", "/other", "--dry-run")
        self.expect(64, "run", "--sqlio", f"{LINE} x", "--preset", "sqlio-study", "--target", self.target, "--dry-run")

    def test_a_dry_run_needs_no_target(self):
        plan = self.plan("--sqlio", f"{LINE} nothing.dat")
        self.assertEqual(plan["points"][0]["workload"]["outstanding_total"], 64)
        self.assertIn("target", [refusal["code"] for refusal in plan["refusals"]])

    def test_options_of_every_field(self):
        workload = self.plan("--target", self.target, "--mix", "4k:70:67:100,64k:30:100:0", "--rate", "500", "--base", "64k",
                             "--spread", "zipf:1.2", "--instances", "2")["points"][0]["workload"]
        self.assertEqual([line["percent"] for line in workload["mix"]], [70, 30])
        self.assertEqual((workload["arrivals"], workload["rate_iops"], workload["base_bytes"]), ("regular", 500, 65536))
        self.assertEqual((workload["spread"], workload["skew"], workload["instances"]), ("zipf", 1.2, 2))
        workload = self.plan("--target", self.target, "--think-time", "2ms", "--burst", "4")["points"][0]["workload"]
        self.assertEqual((workload["think_us"], workload["burst"]), (2000, 4))
        self.expect(64, "run", "--target", self.target, "--mix", "4k:100", "--block-size", "4k", "--dry-run")
        self.expect(64, "run", "--target", self.target, "--spread", "sideways", "--dry-run")

    def test_presets_print_in_every_syntax(self):
        printed = self.expect(0, "presets", "--print", "sqlio", "sqlio-study").stdout
        self.assertEqual(printed.count("sqlio -k"), 3)
        self.assertIn("-s120 -frandom -b64 -t4 -o16 -BN", printed)
        self.assertIn("4096,100,67,100,0,1,0,0", self.expect(0, "presets", "--print", "iometer", "iometer-database").stdout)
        self.assertIn("rwmixread=67", self.expect(0, "presets", "--print", "fio", "iometer-database").stdout)
        self.assertIn("reads and writes together", self.expect(1, "presets", "--print", "sqlio", "iometer-database").stderr)
        self.assertIn("-t4 -o16 -r", self.expect(0, "presets", "--print", "diskspd", "--sqlio", f"{LINE} /x").stdout)


if __name__ == "__main__":
    unittest.main()
