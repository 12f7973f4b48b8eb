"""compare: groups of stored runs, what differed, and the nine SQLIO results of the first study."""
import csv
import io
import json
import unittest

from support import ROOT, CliTest
from test_import import P420I
from test_runs import SHORT

# The first study: RAID 1 of two drives each, and its own numbers: sequential read, random read, random write.
STUDY = {
    "146": ("EH0146FARWD", ((3999.57, 249.97), (961.67, 60.10), (607.25, 37.95))),
    "500": ("MM0500FBFVQ", ((2889.47, 180.59), (690.65, 43.16), (397.24, 24.82))),
    "ssd": ("INTEL SSDSC2CW18", ((10226.23, 639.13), (12390.94, 774.43), (6798.36, 424.89))),
}
TESTS = (("R", "sequential", 2, "reading"), ("R", "random", 16, "reading"), ("W", "random", 16, "writing"))


def sqlio(numbers):
    out = ""
    for (way, pattern, depth, doing), (ios, mbs) in zip(TESTS, numbers):
        out += (f"C:\\>sqlio -s120 -k{way} -f{pattern} -o{depth} -b64 -t4 -BN D:\\testfile.dat\nsqlio v1.5.SG\n"
                f"4 threads {doing} for 120 secs {'from' if way == 'R' else 'to'} file D:\\testfile.dat\n\tusing 64KB {pattern} IOs\n"
                f"\tenabling multiple I/Os per thread with {depth} outstanding\n"
                f"\tbuffering set to not use file nor disk caches (as is SQL Server)\n"
                f"using current size: 102400 MB for file: D:\\testfile.dat\ninitialization done\nCUMULATIVE DATA:\n"
                f"throughput metrics:\nIOs/sec: {ios:8.2f}\nMBs/sec: {mbs:8.2f}\n\n")
    return out


class Study(CliTest):
    def study(self):
        """Imports the nine results, each drive with an inventory of its own; gives the sessions."""
        snapshot = self.document("probe", "--from", P420I, "--format", "json")
        sessions = {}
        for name, (model, numbers) in STUDY.items():
            drives = snapshot["controllers"][0]["arrays"][0]["physical_drives"]
            for drive in drives:
                drive["model"] = model
                drive["media"] = "ssd" if name == "ssd" else "hdd"
            inventory = self.write(f"{name}.json", json.dumps(snapshot))
            listed = self.document("import", self.write(f"{name}.txt", sqlio(numbers)), "--inventory", inventory,
                                   "--logical-drive", "0:1", "--format", "json")
            self.assertEqual(len(listed["runs"]), 3)
            sessions[name] = listed["runs"][0]["session_id"]
        return sessions

    def test_where_its_author_wrote_three_to_four_times(self):
        s = self.study()
        document = self.document("compare", f"hdd146={s['146']}", f"hdd500={s['500']}", f"ssd={s['ssd']}", "--format", "json")
        self.assertEqual(document["schema"], "raidscope.comparison/1")
        ratios = {(m["group_a"], m["workload"].split(",")[0]): m for m in document["metrics"]
                  if m["metric"] == "iops" and m["group_b"] == "ssd"}
        sequential = {group: m for (group, words), m in ratios.items() if "sequential" in words}
        self.assertEqual(f"{sequential['hdd146']['ratio']['estimate']:.2f}", "2.56")
        self.assertEqual(f"{sequential['hdd500']['ratio']['estimate']:.2f}", "3.54")
        random = sorted(round(m["ratio"]["estimate"], 2) for (_, words), m in ratios.items() if "sequential" not in words)
        self.assertEqual(random, [11.2, 12.88, 17.11, 17.94])
        for m in document["metrics"]:
            self.assertEqual(m["verdict"], "undecided")
            self.assertIsNone(m["ratio"]["low"])
        self.assertIn("drives.model", document["differing"])
        self.assertEqual(document["factor"], ["drives.model"])
        text = self.expect(0, "compare", f"hdd146={s['146']}", f"hdd500={s['500']}", f"ssd={s['ssd']}").stdout
        self.assertIn("2.56×", text)
        self.assertIn("3.54×", text)
        self.assertIn("not told on either side: p50, p99, p99.9", text)

    def test_what_a_unit_of_the_currency_buys(self):
        s = self.study()
        prices = ("--price-drive", "EH0146=120,MM0500=90,SSDSC2CW18=200", "--price-controller", "400")
        document = self.document("compare", f"hdd={s['146']}", f"ssd={s['ssd']}", *prices, "--format", "json")
        rows = {(r["group"], "sequential" in r["workload"], "read" in r["workload"]): r for r in document["prices"]}
        for group, drive, iops in (("hdd", 120, 961.67), ("ssd", 200, 12390.94)):
            row = rows[group, False, True]
            drives = (row["price"] - 400) / drive
            self.assertEqual(drives, round(drives), row)
            self.assertGreaterEqual(drives, 2)
            self.assertAlmostEqual(row["iops_per_unit"], iops / row["price"], places=3)
            self.assertAlmostEqual(row["per_kiops"], row["price"] / (iops / 1000), places=3)
            self.assertGreater(row["per_gb"], 0)
        self.assertEqual(self.document("compare", *s.values(), "--format", "json")["prices"], [])
        for wrong in ("cheap", "=3", "EH0146=", "-1"):
            self.assertIn("--price-drive takes", self.expect(64, "compare", *s.values(), f"--price-drive={wrong}").stderr)
        self.expect(64, "report", s["ssd"], "--price-module", "4")

    def test_a_report_says_first_what_the_runs_say_together(self):
        s = self.study()
        text = self.expect(0, "report", s["146"], s["ssd"], "--price-drive", "200").stdout
        first = " ".join(text.split("\n\n")[0].split())
        self.assertIn("2.56× the IOPS of A", first)
        self.assertIn("imported: another tool measured it", first)
        self.assertTrue(first.endswith("."), first)
        for sign in ("S1-c1", "not told there", "published", "IOPS per unit"):
            self.assertIn(sign, text)
        markdown = self.expect(0, "report", s["146"], s["ssd"], "--format", "markdown").stdout
        for sign in ("2.56×", "S1-c1: P420i", "## Beside published results", "## Configuration"):
            self.assertIn(sign, markdown)
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "report", s["146"], s["ssd"], "--format", "csv").stdout)))
        self.assertEqual(len(rows), 6)
        own = [r for r in rows if r["pattern"] == "sequential" and float(r["iops"]) > 10000]
        self.assertEqual(f"{float(own[0]['ratio']):.2f}", "2.56")
        self.assertIn("S1-c1 (published): 1", own[0]["references"])
        self.assertEqual(own[0]["interval_of"], "none")

    def test_by_a_key(self):
        s = self.study()
        document = self.document("compare", *s.values(), "--by", "drives.model", "--format", "json")
        self.assertEqual(len(document["groups"]), 3)
        self.assertEqual({len(g["runs"]) for g in document["groups"]}, {3})
        self.assertEqual(document["in_the_way"], [])
        rows = list(csv.DictReader(io.StringIO(self.expect(0, "compare", *s.values(), "--by", "fingerprint", "--format",
                                                           "csv").stdout)))
        self.assertEqual(len(rows), 3 * 3 * 6)
        self.assertEqual({r["verdict"] for r in rows}, {"undecided"})
        markdown = self.expect(0, "compare", *s.values(), "--by", "fingerprint", "-o", self.folder / "c.md")
        self.assertEqual(markdown.stdout, "")
        self.assertIn("## What differed", (self.folder / "c.md").read_text())

    def test_published_results(self):
        s = self.study()
        document = self.document("compare", s["ssd"], "--reference", "S1-a1", "--format", "json")
        self.assertEqual([len(g["runs"]) for g in document["groups"]], [1, 3])
        self.assertEqual(f"{document['metrics'][0]['ratio']['estimate']:.2f}", "2.56")
        self.assertEqual({m["verdict"] for m in document["metrics"]}, {"undecided"})
        self.assertTrue(document["conditional"])
        self.assertIn("not told", " ".join(document["notes"]))
        self.assertIn("published", self.expect(0, "compare", s["ssd"], "--reference", "S1-a1").stdout)
        self.expect(64, "compare", s["ssd"], "--reference", "nothing")
        self.expect(64, "compare", s["ssd"], "--reference", "S2-18")
        listed = self.document("references", "--format", "json")
        self.assertEqual(listed["schema"], "raidscope.references/1")
        self.assertIn("S1-a1", [r["id"] for r in listed["references"]])
        one = self.document("references", "s2-18", "--format", "json")["references"]
        self.assertEqual([r["id"] for r in one], ["S2-18"])
        self.assertIn("not told", self.expect(0, "references", "S1-c1").stdout)
        self.expect(0, "references")
        self.expect(64, "references", "nothing")

    def test_documents_fit_their_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        schema = json.loads((ROOT / "docs" / "schema" / "references.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(self.document("references", "--format", "json"))
        s = self.study()
        schema = json.loads((ROOT / "docs" / "schema" / "comparison.schema.json").read_text())
        for words in ((s["146"], s["ssd"]), (*s.values(), "--by", "drives.model"), (s["146"], s["ssd"], "--factor", "firmware")):
            jsonschema.Draft202012Validator(schema).validate(self.document("compare", *words, "--format", "json"))


class Compare(CliTest):
    def test_codes(self):
        self.expect(66, "compare", "latest", "latest")
        target = self.folder / "own.dat"
        self.expect(0, "testfile", "create", target, "--size", "8M")
        run = self.document("run", "--target", target, "--engine", "null", "--format", "json", *SHORT)["runs"][0]
        self.expect(64, "compare")
        self.expect(64, "compare", "latest")
        self.expect(64, "compare", run["run_id"], run["run_id"])
        self.expect(66, "compare", run["run_id"], "nothing")
        self.expect(64, "compare", "latest", "--by", "nonsense")
        self.expect(64, "compare", "latest", "--by", "block_size")
        self.expect(64, "compare", "a,,b", "c")
        for option in (("--margin", "x"), ("--margin", "-1"), ("--method", "guess"), ("--factor", "nonsense")):
            self.expect(64, "compare", "latest", run["run_id"], *option)

    def test_a_sweep_against_itself(self):
        target = self.folder / "own.dat"
        self.expect(0, "testfile", "create", target, "--size", "8M")
        listed = self.document("run", "--target", target, "--engine", "null", "--format", "json", "--time", "0.2", "--ramp", "0",
                               "--block-size", "4k,64k", "--repeat", "3")["runs"]
        session = listed[0]["session_id"]
        document = self.document("compare", session, "--by", "block_size", "--format", "json")
        self.assertEqual([g["label"] for g in document["groups"]], ["block_bytes 4096", "block_bytes 65536"])
        self.assertEqual([len(g["runs"]) for g in document["groups"]], [3, 3])
        iops = document["metrics"][0]
        self.assertEqual((iops["metric"], iops["pairs"], iops["method"]), ("iops", 3, "paired t"))
        self.assertLess(iops["ratio"]["low"], iops["ratio"]["high"])
        text = self.expect(0, "compare", session, "--by", "block_size").stdout
        self.assertTrue(text.startswith("block_bytes 65536 against block_bytes 4096: "), text[:200])
        self.assertIn("3 runs moved no data (the null engine)".replace("3", "6"), text)

    def test_origins_do_not_mix_unless_asked(self):
        target = self.folder / "own.dat"
        self.expect(0, "testfile", "create", target, "--size", "8M")
        mine = self.document("run", "--target", target, "--engine", "psync", "--format", "json", *SHORT)["runs"][0]["run_id"]
        theirs = self.document("import", self.write("s.txt", sqlio(STUDY["ssd"][1])), "--inventory", P420I, "--format",
                               "json")["runs"][0]["run_id"]
        document = self.document("compare", mine, theirs, "--format", "json")
        self.assertIn("origin", document["in_the_way"])
        self.assertEqual({m["verdict"] for m in document["metrics"]}, {"undecided"})
        self.assertTrue(all(m["ratio"]["estimate"] is None for m in document["metrics"]))
        self.assertIn("--mix-origins", self.expect(0, "compare", mine, theirs).stdout)
        mixed = self.document("compare", mine, theirs, "--mix-origins", "--format", "json")
        self.assertIsNotNone(mixed["metrics"][0]["ratio"]["estimate"])


if __name__ == "__main__":
    unittest.main()
