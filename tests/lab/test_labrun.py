"""The lab's own checks: each must be able to fail."""
import copy
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from labrun import cardlog, checks, expect, scenario, truth  # noqa: E402

DRIVE = {"bay": "1I:1:1", "status": "OK", "media": "hdd", "interface": "SAS", "size": 300, "serial": "S1", "firmware": "F",
         "wwid": "W", "model": "M", "vendor": "HP", "temperature_c": 30, "rpm": 10000}
STATE = {"model": "P420", "slot": "1", "serial": "C1", "firmware": "8.32", "mode": "raid", "cache": None,
         "arrays": [{"smart_path": None, "drives": [DRIVE], "spares": [], "logical_drives": [
             {"unique_id": "U1", "number": 1, "size": 300, "status": "OK", "raid": "0", "strip": 256, "caching": False,
              "label": ""}]}], "unassigned": [], "hba_drives": []}
TOLD = {"model": "P420", "slot": "1", "serial": "C1", "firmware": "8.32", "mode": "raid", "driver": {"name": "hpsa"},
        "pci_address": "0000:00:10.0", "cache": {"present": False, "status": None, "size_bytes": None},
        "arrays": [], "unassigned_drives": [], "hba_drives": [],
        "logical_drives": [{"unique_id": "U1", "size_bytes": 300, "status": "OK", "raid": "0", "raid_candidates": []}],
        "physical_drives": [{"bay": "1I:1:1", "role": "data", "size_bytes": 300, "size_exact": True,
                             **{key: DRIVE[key] for key in DRIVE if key not in ("bay", "size")}}]}


class Truth(unittest.TestCase):
    def wrong(self, change=None, with_tool=False):
        told = copy.deepcopy(TOLD)
        if change:
            change(told)
        return list(truth.check([STATE], {"controllers": [told]}, with_tool))

    def test_the_truth_passes(self):
        self.assertEqual(self.wrong(), [])

    def test_a_wrong_fact_a_missing_one_and_an_invented_one_do_not(self):
        self.assertIn("firmware", self.wrong(lambda told: told.update(firmware="8.00"))[0])
        self.assertIn("present is not told", self.wrong(lambda told: told["cache"].update(present=None))[0])
        self.assertIn("size_bytes is told", self.wrong(lambda told: told["cache"].update(size_bytes=5))[0])
        self.assertIn("not there", self.wrong(lambda told: told["physical_drives"].clear())[0])
        self.assertIn("that there is not", self.wrong(lambda told: told["physical_drives"].append({"bay": "2I:1:1"}))[0])
        self.assertTrue(any("caching" in line for line in self.wrong(with_tool=True)))

    def test_two_inventories(self):
        other = copy.deepcopy(TOLD)
        other["logical_drives"][0]["status"] = "Failed"
        self.assertEqual(list(truth.differences({"controllers": [TOLD]}, {"controllers": [TOLD]})), [])
        self.assertEqual(len(list(truth.differences({"controllers": [TOLD]}, {"controllers": [other]}))), 1)
        self.assertIn("status", checks.first_difference(TOLD, other))


class Expectations(unittest.TestCase):
    def test_values(self):
        for wanted, found in ((1, 1), ({"$length": 2}, [1, 2]), ({"$known": True}, 0), ({"$matches": "^8"}, "8.32"), ({"$not": "0"}, None)):
            self.assertIsNone(expect.differs(wanted, found))
        for wanted, found in ((1, 2), (True, 1), (None, 0), ({"$length": 2}, [1]), ({"$known": True}, None), ({"$odd": 1}, 1)):
            self.assertIsNotNone(expect.differs(wanted, found))

    def test_pointers(self):
        self.assertEqual(expect.at({"a": [{"b/c": 7}]}, "/a/0/b~1c"), 7)
        self.assertRaises(KeyError, expect.at, {"a": []}, "/a/0")

    def test_a_step_that_did_not_run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(list(expect.check_step({}, pathlib.Path(folder), "probe"))), 1)


class Ratios(unittest.TestCase):
    def wrong(self, times, hit=50.0):
        with tempfile.TemporaryDirectory() as folder:
            for name, iops in (("hit", hit), ("miss", 12.0)):
                (pathlib.Path(folder) / f"{name}.out").write_text(json.dumps({"iops": iops}))
            expected = {"json": "/iops", "of": "hit", "than": "miss", "times": times}
            return list(checks.check_ratio(expected, pathlib.Path(folder)))

    def test_so_many_times_and_no_more(self):
        self.assertEqual(self.wrong(4), [])
        self.assertIn("not 5 times", self.wrong(5)[0])
        self.assertIn("no number", self.wrong(4, hit=None)[0])


class CardLog(unittest.TestCase):
    def log(self, *lines):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "card0.log"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return pathlib.Path(folder.name)

    @staticmethod
    def step(name, *commands):
        marks = [{"cdb": "27 00 00 00 00 00 ec", "mark": f"{word} {name}", "name": "lab: mark"} for word in ("begin", "end")]
        return [marks[0], *({"cdb": cdb, "name": "READ(10)" if cdb[:2] == "28" else "", "path": path} for cdb, path in commands), marks[1]]

    def test_a_forbidden_command_is_seen_unless_the_driver_sends_it_by_itself(self):
        reads = [("26 00 00 00 00 00 c1 02 00 00", "controller")] * 10
        flush = ("26 00 00 00 00 00 c2 00 00 00", "controller")
        wanted = {"idle": "idle", "steps": ["probe"]}
        for idle, probe, failures in (([], reads, 0), ([], [*reads, flush], 1), ([flush], [*reads, flush], 0), ([], reads[:3], 1)):
            folder = self.log(*self.step("idle", *idle), *self.step("probe", *probe))
            self.assertEqual(len(list(cardlog.check_allowed(wanted, folder))), failures)
        folder = self.log(*self.step("idle"), *self.step("probe", *reads))
        self.assertEqual(len(list(cardlog.check_allowed({"idle": "idle", "steps": [], "caught": ["probe"]}, folder))), 1)

    def test_the_share_is_counted_among_requests_of_the_size(self):
        read = "28 00 00 00 00 00 00 00 08 00"
        folder = self.log(*self.step("run", *[(read, "smart_path")] * 67, *[(read, "controller")] * 33,
                                     ("28 00 00 00 00 00 00 00 01 00", "controller")))
        self.assertEqual(cardlog.bypass_share(cardlog.Log(folder / "card0.log"), "run", 4096), (67, 100))
        self.assertEqual(list(cardlog.check_share({"step": "run", "bytes": 4096, "share": 0.67}, folder, None)), [])
        self.assertEqual(len(list(cardlog.check_share({"step": "run", "bytes": 4096, "share": 0.2}, folder, None))), 1)
        self.assertEqual(len(list(cardlog.check_share({"step": "run", "bytes": 512, "share": 0.0}, folder, None))), 1)


class Scenarios(unittest.TestCase):
    def test_each_can_be_understood(self):
        for path in scenario.all_scenarios().values():
            one = scenario.Scenario(path)
            named = {step["name"] for step in one.steps + one.host_steps}
            self.assertEqual(set(one.expected.get("steps", {})) - named, set(), path)
            self.assertEqual(set(one.expected) - checks.FIELDS, set(), path)

    def test_a_misspelt_field_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "odd.json"
            path.write_text('{"machine": {"model": "P420"}, "stepps": []}')
            self.assertRaises(scenario.Wrong, scenario.Scenario, path)


if __name__ == "__main__":
    unittest.main()
