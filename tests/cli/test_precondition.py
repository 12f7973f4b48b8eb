"""Long blocks before a measurement, and rounds until they are steady."""
import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, CliTest


class PreconditionTest(CliTest):
    def make(self, size="8M"):
        path = self.folder / "made.dat"
        self.expect(0, "testfile", "create", path, "--size", size)
        return path

    def results(self):
        runs = self.document("list", "--format", "json")["runs"]
        return [self.document("show", r["run_id"], "--format", "json") for r in reversed(runs)]


class Steady(PreconditionTest):
    def test_rounds_go_on_until_the_last_five_are_steady(self):
        words = ("run", "--target", self.make(), "--engine", "null", "--time", "0.3", "--ramp", "0", "--no-wait",
                 "--until", "steady", "--queue-depth", "1,4")
        done = self.expect(0, *words)
        lines = [line for line in done.stderr.splitlines() if "steady after" in line]
        self.assertEqual(len(lines), 2, done.stderr)
        for line in lines:
            self.assertRegex(line, r"last 5 rounds \(.*\) lie within .* % \(20 % are allowed\), their slope is .* % \(10 %\)")
        by_depth = {}
        for run in self.results():
            by_depth.setdefault(run["workload"]["queue_depth_per_worker"], []).append(run["iops"])
        for line, rounds in zip(lines, by_depth.values()):
            self.assertTrue(5 <= len(rounds) <= 25)
            window = rounds[-5:]
            steady = (max(window) - min(window)) / (sum(window) / 5) <= 0.2
            if "not steady" not in line:
                self.assertTrue(steady, rounds)
            self.assertIn(f"after {len(rounds)} rounds", line)
        self.assertIn("--repeat 5", self.expect(64, *words, "--repeat", "4").stderr)
        self.assertIn("steady", self.expect(64, *words[:-3], "stead").stderr)

    def test_what_never_becomes_steady_is_said_and_stays_suspicious(self):
        process = subprocess.Popen([PROGRAM, "run", "--target", str(self.make()), "--engine", "null", "--time", "1", "--ramp", "0",
                                    "--no-wait", "--until", "steady", "--repeat", "5"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=self.environment, cwd=self.folder)
        limit = time.monotonic() + 60
        while time.monotonic() < limit and (self.run_cli("list").stdout.count("#") < 2):
            time.sleep(0.05)
        for _ in range(3):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.1)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("not steady after 5 rounds", said)
        last = self.results()[-1]["checks"]
        self.assertIn("not steady after 5 rounds", " ".join(last["suspicions"]))


class Before(PreconditionTest):
    def test_a_load_before_each_workload_that_writes(self):
        words = ("run", "--target", self.make(), "--engine", "null", "--time", "0.3", "--ramp", "0", "--no-wait", "--repeat", "2")
        both = (*words, "--read-percent", "0,100", "--precondition", "20")
        plan = self.document(*both, "--dry-run", "--format", "json")
        self.assertAlmostEqual(plan["duration_s"], 4 * 0.3 + 20)
        begin = time.monotonic()
        done = self.expect(0, *both)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(done.stderr.count("preconditioned for"), 1, "once for all rounds of a workload")
        for run in self.results():
            before = run["preconditioning"]
            if run["workload"]["read_percent"] == 100:
                self.assertIsNone(before)
                continue
            self.assertEqual(before["fill_passes"], 0)
            self.assertGreater(before["bytes_written"], 0)
            self.assertGreaterEqual(before["load_s"], 5)
            self.assertLess(before["load_s"], 25)
            if before["steady"]:
                self.assertIn("steady after", done.stderr)
            else:
                self.assertIn("not steady after", done.stderr)
        self.assertIn("none of this plan writes", self.expect(64, *words, "--precondition", "20").stderr)
        for wrong in ("0", "soon", "40d"):
            self.expect(64, *both[:-1], wrong)

    def test_filling_passes_write_the_whole_area(self):
        path = self.make("12M")
        words = ("run", "--target", path, "--time", "0.5", "--ramp", "0", "--no-wait", "--fill-passes", "2")
        before = path.read_bytes()
        plan = self.document(*words, "--dry-run", "--format", "json")
        self.assertEqual(plan["bytes_to_write"], 24 << 20)
        self.assertIn("--max-write", self.expect(78, *words, "--max-write", "23M").stderr)
        self.assertEqual(path.read_bytes(), before)
        self.expect(0, *words, "--max-write", "24M")
        run = self.results()[-1]["preconditioning"]
        self.assertEqual((run["fill_passes"], run["bytes_written"], run["load_s"], run["steady"]), (2, 24 << 20, None, None))
        self.assertGreater(run["fill_s"], 0)
        after = path.read_bytes()
        same = [i for i in range(0, len(after), 4096) if after[i:i + 4096] == before[i:i + 4096]]
        self.assertEqual(same, [], "every block is new")
        self.expect(0, "run", "--target", path, "--time", "0.5", "--ramp", "0", "--no-wait", "--size", "4M", "--fill-passes", "1")
        later = path.read_bytes()
        self.assertEqual(later[4 << 20:], after[4 << 20:], "only the area that is used")
        self.assertNotEqual(later[(4 << 20) - 4096:4 << 20], after[(4 << 20) - 4096:4 << 20])

    def test_filling_needs_leave_as_any_writing_does(self):
        foreign = self.write("precious.dat", os.urandom(4 << 20))
        before = foreign.read_bytes()
        words = ("run", "--target", foreign, "--read-percent", "100", "--time", "0.5", "--ramp", "0", "--no-wait")
        self.assertIn("precious.dat", self.expect(78, *words, "--fill-passes", "1").stderr)
        refused = self.document(*words, "--fill-passes", "1", "--dry-run", "--format", "json")["refusals"]
        self.assertIn("foreign_file", [r["code"] for r in refused])
        self.assertEqual(foreign.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
