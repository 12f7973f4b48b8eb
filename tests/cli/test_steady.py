"""Rounds until they are steady."""
import signal
import subprocess
import time
import unittest

from support import PROGRAM, CliTest


class SteadyTest(CliTest):
    def make(self, size="8M"):
        path = self.folder / "made.dat"
        self.expect(0, "testfile", "create", path, "--size", size)
        return path

    def results(self):
        runs = self.document("list", "--format", "json")["runs"]
        return [self.document("show", r["run_id"], "--format", "json") for r in reversed(runs)]


class Steady(SteadyTest):
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


if __name__ == "__main__":
    unittest.main()
