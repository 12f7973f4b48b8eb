"""Machines as bundles: every path's answers, replayed, reconciled, redacted."""
import importlib.util
import json
import pathlib
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
