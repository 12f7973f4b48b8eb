"""Machines as bundles: every path's answers, replayed, reconciled, redacted."""
import importlib.util
import json
import pathlib
import re
import tempfile
import unittest

from support import CliTest

MACHINES = pathlib.Path(__file__).parent.parent / "machines"


def make_machines(folder):
    spec = importlib.util.spec_from_file_location("make_machines", MACHINES / "make.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    maker.HERE = folder
    maker.main()


def value_at(document, pointer):
    at = document
    for part in pointer.split("/")[1:]:
        at = at[int(part)] if isinstance(at, list) else at[part]
    return at


class Machines(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.made = tempfile.TemporaryDirectory()
        make_machines(pathlib.Path(cls.made.name))
        cls.expected = json.loads((MACHINES / "expected.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.made.cleanup()
        super().tearDownClass()

    def probe(self, bundle, *words):
        done = self.run_cli("probe", "--from", bundle, "--format", "json", *words)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def test_every_machine_has_expectations_and_meets_them(self):
        bundles = sorted(pathlib.Path(self.made.name).glob("*.capture"))
        self.assertEqual(sorted(bundle.stem for bundle in bundles), sorted(self.expected))
        self.assertGreaterEqual(len(bundles), 12)
        for bundle in bundles:
            document = self.probe(bundle)
            for pointer, value in self.expected[bundle.stem].items():
                with self.subTest(machine=bundle.stem, fact=pointer):
                    if pointer == "disagreements":
                        self.assertEqual(len(document["disagreements"]), value, document["disagreements"])
                    else:
                        self.assertEqual(value_at(document, pointer), value)

    def test_no_machine_with_smart_path_on_ssds_is_told_that_they_are_hard_disks(self):
        for name in ("p420i-smart-path-on-no-tool", "p420-24-ssds", "p408ia-smartpqi"):
            done = self.run_cli("audit", "--from", pathlib.Path(self.made.name) / f"{name}.capture", "--format", "json")
            self.assertNotIn("S03", [finding["rule"] for finding in json.loads(done.stdout)["findings"]], name)

    def test_one_thing_is_one_entry(self):
        for bundle in sorted(pathlib.Path(self.made.name).glob("*.capture")):
            document = self.probe(bundle)
            with self.subTest(machine=bundle.stem):
                places = [c["pci_address"] for c in document["controllers"]]
                self.assertEqual(len(places), len(set(places)))
                drives = [d for c in document["controllers"]
                          for d in c["logical_drives"] + [d for a in c["arrays"] for d in a["logical_drives"]]]
                nodes = [d["device"] for d in drives if d["device"]] + [d["path"] for d in document["block_devices"]]
                self.assertEqual(len(nodes), len(set(nodes)), nodes)

    def changed(self, name, *changes):
        text = (pathlib.Path(self.made.name) / f"{name}.capture").read_text()
        for pattern, by in changes:
            changed = re.sub(pattern, by, text)
            self.assertNotEqual(changed, text, pattern)
            text = changed
        return self.probe(self.write("changed.capture", text))

    def test_an_id_of_zeros_makes_no_second_drive(self):
        whole = self.probe(pathlib.Path(self.made.name) / "p420i-smart-path-on.capture")
        zeros = self.changed("p420i-smart-path-on", (r"(?m)(^== file \S*/unique_id\n) \w{32}$", r"\1 " + "0" * 32))

        def shape(document):
            return [[d["device"] for d in a["logical_drives"]] for a in document["controllers"][0]["arrays"]]
        self.assertEqual(shape(zeros), shape(whole))
        self.assertEqual(zeros["controllers"][0]["logical_drives"], [])

    def test_what_another_controller_says_is_not_told(self):
        text = (pathlib.Path(self.made.name) / "p410i-module-no-tool.capture").read_text()
        pci = re.search(r"(?m)^== ciss pci_info .*\n(?:\..*\n)*x(\w+)$", text)
        self.assertIsNotNone(pci)
        data = pci[1]
        for place in range(0, 6, 2):  # bus, device and function, domain
            other = data[:place] + f"{int(data[place:place + 2], 16) ^ 9:02x}" + data[place + 2:]
            document = self.probe(self.write("other.capture", text.replace("x" + data, "x" + other)))
            bmic = next(s for s in document["sources"] if s["path"] == "bmic")
            if bmic["status"] == "failed":
                break
        self.assertEqual(bmic["status"], "failed")
        self.assertIn("nothing of it is told", bmic["detail"])
        self.assertIsNone(document["controllers"][0]["cache"]["present"])

    def test_a_dead_controller_is_asked_by_no_tool_and_judged_by_nobody(self):
        document = self.probe(pathlib.Path(self.made.name) / "p420i-locked-up.capture")
        for controller in document["controllers"]:
            for drive in controller["logical_drives"]:
                self.assertEqual((drive["effective_write_cache"], drive["io_path"]), ("unknown", "unknown"))
        tool = next((s for s in document["sources"] if s["path"] == "ssacli"), None)
        if tool:
            self.assertEqual(tool["status"], "skipped")

    def test_a_redacted_machine_replays_to_the_redacted_inventory(self):
        for bundle in sorted(pathlib.Path(self.made.name).glob("*.capture")):
            with self.subTest(machine=bundle.stem):
                key = self.folder / "key"
                redacted = self.folder / f"{bundle.stem}.redacted"
                self.expect(0, "capture", "--from", bundle, "--redact", "--redact-key", key, "-o", redacted)
                replayed = self.probe(redacted)
                self.assertEqual(replayed, self.probe(bundle, "--redact", "--redact-key", key))
                text = redacted.read_text().lower()
                for secret in self.secrets_of(self.probe(bundle)):
                    self.assertNotIn(secret.lower(), text)
                    self.assertNotIn(secret.encode().hex(), text)
                before = [c["fingerprint"] for c in self.probe(bundle)["controllers"]]
                self.assertEqual([c["fingerprint"] for c in replayed["controllers"]], before)

    @staticmethod
    def secrets_of(document):
        found = []

        def walk(at):
            if isinstance(at, dict):
                for key, value in at.items():
                    if key in ("serial", "wwid", "unique_id", "label", "hostname") and isinstance(value, str) and len(value) > 5:
                        found.append(value)
                    walk(value)
            elif isinstance(at, list):
                for value in at:
                    walk(value)

        walk(document)
        return found


if __name__ == "__main__":
    unittest.main()
