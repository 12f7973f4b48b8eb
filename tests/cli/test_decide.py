"""decide smart-path: from stored runs of two arms, from a capture alone, and on a machine without a Smart Array."""
import json
import unittest

from support import ROOT, CliTest

CAPTURES = ROOT / "tests" / "captures"
CACHE = (CAPTURES / "p420i-smart-path-off" / "capture.txt").read_text()
# The same machine after `array modify ssdsmartpath=enable`: no drive uses the cache any more, so it is "Not Configured".
SMART_PATH = (CACHE.replace("Cache Status: OK\n   Cache Ratio: 10% Read / 90% Write\n", "Cache Status: Not Configured\n")
              .replace("Smart Path: disable", "Smart Path: enable").replace("Caching:  Enabled", "Caching:  Disabled")
              .replace("LD Acceleration Method: Controller Cache", "LD Acceleration Method: Smart Path"))
NEITHER = (CACHE.replace("Caching:  Enabled", "Caching:  Disabled")
           .replace("LD Acceleration Method: Controller Cache", "LD Acceleration Method: All disabled"))
DISABLE = "ssacli ctrl slot=0 array A modify ssdsmartpath=disable"
CACHING = "ssacli ctrl slot=0 ld 1 modify caching=enable"


class Decide(CliTest):
    def setUp(self):
        super().setUp()
        self.cache, self.smart_path = self.write("cache.txt", CACHE), self.write("smart_path.txt", SMART_PATH)

    def run_in(self, inventory, *more):
        target = self.folder / "own.dat"
        if not target.exists():
            self.expect(0, "testfile", "create", target, "--size", "8M")
        return self.document("run", "--target", target, "--engine", "null", "--inventory", inventory, "--logical-drive", "0:1",
                             "--format", "json", "--time", "0.1", "--ramp", "0", "--read-percent", "67", "--name", "t",
                             *more)["runs"][0]

    def only(self, document):
        self.assertEqual(document["schema"], "raidscope.decision/1")
        self.assertEqual(len(document["workloads"]), 1)
        return document["workloads"][0]

    def test_two_arms_of_one_server(self):
        for inventory in (self.cache, self.smart_path, self.smart_path, self.cache):
            self.run_in(inventory)
        document = self.document("decide", "smart-path", "--format", "json")
        decided = self.only(document)
        self.assertEqual([p["disk_count"] for p in decided["points"]], [8])
        point = decided["points"][0]
        self.assertEqual((point["cache"]["n"], point["smart_path"]["n"], point["pairs"]), (2, 2, 2))
        self.assertAlmostEqual(point["ratio"]["estimate"], point["smart_path"]["iops"] / point["cache"]["iops"])
        self.assertIn(point["winner"], ("cache", "smart_path", "equal", "undecided"))
        self.assertEqual([w for w in point["in_the_way"] if "not valid" not in w], [])
        self.assertFalse(point["conditional"])
        self.assertIsNone(decided["crossover"])
        self.assertAlmostEqual(decided["bypass_share"], 0.67)
        self.assertIn("67 %", decided["because"][0])
        text = self.expect(0, "decide", "smart-path").stdout
        self.assertIn("because", text)
        self.assertEqual(self.expect(0, "decide", "smart-path", "--format", "csv").stdout.count("\n"), 2)
        # compare says the same of the same runs.
        compared = self.document("compare", *[r["run_id"] for r in self.document("list", "--format", "json")["runs"]],
                                 "--by", "smart_path", "--format", "json")
        self.assertEqual(compared["in_the_way"], [])
        self.assertAlmostEqual(compared["metrics"][0]["ratio"]["estimate"], point["ratio"]["estimate"])
        self.assertAlmostEqual(compared["metrics"][0]["ratio"]["low"], point["ratio"]["low"])

    def slowed(self, runs, factor):
        """The same results with the IOPS of some times a factor, in a store of their own: numbers of a test, not of a
        machine."""
        out = self.folder / "export.json"
        ids = [r["run_id"] for r in self.document("list", "--format", "json")["runs"]]
        self.expect(0, "export", *ids, "-o", out)
        document = json.loads(out.read_text())
        for number, run in enumerate(sorted(document["runs"], key=lambda r: r["started_at"] + r["run_id"])):
            run["checks"]["valid"] = True  # Little's law seldom holds of the null engine on a busy machine
            run["iops"] = 40000 * (1 + 0.01 * (number % 3)) * (factor if run["run_id"] in runs else 1)
        store = self.folder / "slowed.db"
        self.expect(0, "import", self.write("slowed.json", json.dumps(document)), "--store", store)
        return store

    def test_the_winner_and_the_commands_in_order(self):
        slow = []
        for inventory in (self.cache, self.smart_path) * 4:
            run = self.run_in(inventory)["run_id"]
            if inventory == self.smart_path:
                slow.append(run)
        store = self.slowed(slow, 0.7)
        decided = self.only(self.document("decide", "smart-path", "--store", store, "--format", "json"))
        self.assertEqual(decided["points"][0]["winner"], "cache")
        self.assertEqual(decided["answer"], "cache")
        self.assertEqual(decided["commands"], [DISABLE, CACHING])
        now = self.only(self.document("decide", "smart-path", "--store", store, "--from", self.cache, "--format", "json"))
        self.assertEqual(now["commands"], [])
        trap = self.write("neither.txt", NEITHER)
        self.assertEqual(self.only(self.document("decide", "smart-path", "--store", store, "--from", trap, "--format",
                                                 "json"))["commands"], [CACHING])
        text = self.expect(0, "decide", "smart-path", "--store", store, "--price-drive", "300").stdout
        self.assertTrue(text.startswith("Use the controller's cache"), text[:100])
        self.assertLess(text.index(DISABLE), text.index(CACHING))
        self.assertIn("thousand IOPS", text)
        ids = [r["run_id"] for r in self.document("list", "--store", store, "--format", "json")["runs"]]
        report = " ".join(self.expect(0, "report", *ids, "--store", store).stdout.split("\n\n")[0].split())
        self.assertTrue(report.startswith("Use the controller's cache"), report)
        self.assertIn("Smart Path served 0.70×", report)
        self.assertIn("simulated", report)

    def test_nothing_measured_yet(self):
        document = self.document("decide", "smart-path", "--from", self.smart_path, "--format", "json")
        decided = self.only(document)
        self.assertEqual(decided["points"], [])
        self.assertIsNone(decided["crossover"])
        self.assertEqual(decided["commands"], [])
        self.assertAlmostEqual(decided["bypass_share"], 0.67)
        self.assertIn("RAID 10, 4 KiB, 67 % reads", " ".join(decided["because"]))
        missing = " ".join(document["missing"])
        self.assertIn("6 pairs", missing)
        self.assertIn("raidscope experiment --print-plan --blocks 6", missing)
        self.assertIn(DISABLE, missing)
        text = self.expect(0, "decide", "smart-path", "--from", self.smart_path, "--block-size", "8k", "--read-percent", "0").stdout
        self.assertIn(DISABLE, text)
        self.assertIn("writes on RAID", text)

    def test_a_machine_without_a_smart_array(self):
        done = self.run_cli("decide", "smart-path", "--format", "json", "--sysroot", self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["workloads"], [])
        self.assertTrue(document["missing"])

    def test_codes(self):
        self.expect(64, "decide")
        self.expect(64, "decide", "raid-level")
        self.expect(66, "decide", "smart-path", "nothing", "--from", self.cache)
        self.expect(66, "decide", "smart-path", "--from", self.folder / "none.txt")
        self.expect(64, "decide", "smart-path", "--from", self.cache, "--price-module", "4")
        self.expect(64, "decide", "smart-path", "--from", self.cache, "--logical-drive", "x")
        self.expect(64, "decide", "smart-path", "--from", self.cache, "--allow", "nonsense")

    def test_a_drive_is_named_by_its_number_or_its_id(self):
        snapshot = self.document("probe", "--from", self.cache, "--format", "json")
        drive = snapshot["controllers"][0]["arrays"][0]["logical_drives"][0]
        for name in ("0:1", drive["unique_id"], f"naa.{drive['unique_id'].lower()}", drive["device"]):
            decided = self.document("decide", "smart-path", "--from", self.cache, "--logical-drive", name, "--format", "json")
            self.assertEqual(len(decided["workloads"]), 1, name)
        # A machine whose drives have no number, as without the vendor tool.
        drive["number"] = None
        plain = self.write("plain.json", json.dumps(snapshot))
        done = self.expect(64, "decide", "smart-path", "--from", plain, "--logical-drive", "0:1")
        self.assertIn("no logical drive 0:1; there is " + drive["device"], done.stderr)
        self.assertIn("name it by its device or its unique id", done.stderr)
        decided = self.document("decide", "smart-path", "--from", plain, "--logical-drive", drive["device"], "--format", "json")
        self.assertIn(drive["device"], decided["workloads"][0]["drive"])

    def test_documents_fit_their_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        schema = json.loads((ROOT / "docs" / "schema" / "decision.schema.json").read_text())
        check = jsonschema.Draft202012Validator(schema).validate
        check(self.document("decide", "smart-path", "--from", self.cache, "--format", "json"))
        for inventory in (self.cache, self.smart_path):
            self.run_in(inventory)
        check(self.document("decide", "smart-path", "--format", "json", "--price-drive", "10"))
        for capture in sorted(CAPTURES.iterdir()):
            done = self.run_cli("decide", "smart-path", "--from", capture, "--store", self.folder / "none.db", "--format", "json")
            if done.returncode == 0:
                check(json.loads(done.stdout))
            else:
                self.assertEqual(done.returncode, 65, (capture, done.stderr))


if __name__ == "__main__":
    unittest.main()
