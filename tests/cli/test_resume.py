"""Going on with a session that was killed, stopped, or cut off by a restart."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from support import PROGRAM, CliTest
from test_front_door import P420I

SWEEP = ("--engine", "null", "--time", "1", "--ramp", "0", "--queue-depth", "1,2,4", "--no-wait")


class ResumeTest(CliTest):
    def make(self, size="8M", name="made.dat"):
        path = self.folder / name
        self.expect(0, "testfile", "create", path, "--size", size)
        return path

    def runs(self):
        return self.document("list", "--format", "json")["runs"]

    def store(self):
        return self.folder / "data" / "raidscope" / "runs.db"

    def begin(self, *words, points=1, end=signal.SIGKILL, then=0.3):
        """Starts a session, and ends it when so many points are stored and the next has begun. Gives its id."""
        process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment, cwd=self.folder)
        self.addCleanup(process.kill)
        limit = time.monotonic() + 90
        while self.stored() < points and time.monotonic() < limit and process.poll() is None:
            time.sleep(0.05)
        if points == 0:
            while not self.sessions() and time.monotonic() < limit:
                time.sleep(0.05)
        time.sleep(then)
        self.assertIsNone(process.poll(), "it ended by itself")
        process.send_signal(end)
        process.wait(timeout=60)
        return self.sessions()[0]

    def rows(self, sql):
        if not self.store().exists():
            return []
        try:
            with sqlite3.connect(f"file:{self.store()}?mode=ro", uri=True, timeout=10) as db:
                return [row[0] for row in db.execute(sql)]
        except sqlite3.OperationalError:
            return []  # it is being made

    def stored(self):
        return (self.rows("SELECT count(*) FROM runs") or [0])[0]

    def sessions(self):
        return self.rows("SELECT session_id FROM sessions ORDER BY started_at DESC, session_id DESC")

    def mend(self, change, session=None):
        """Changes the stored document of a session."""
        db = sqlite3.connect(self.store())
        where = "session_id = ?" if session else "1 OR ? IS NULL"
        for key, text in db.execute(f"SELECT session_id, document FROM sessions WHERE {where}", (session,)).fetchall():
            db.execute("UPDATE sessions SET document = ? WHERE session_id = ?", (change(text), key))
        db.commit()
        db.close()

    def mend_document(self, change):
        def edit(text):
            document = json.loads(text)
            change(document)
            return json.dumps(document)
        self.mend(edit)


class Resume(ResumeTest):
    def test_a_killed_sweep_goes_on_with_what_is_missing(self):
        target = self.make()
        session = self.begin("run", "--target", target.name, *SWEEP)
        before = self.runs()
        self.assertIn(f"session {session} is unfinished: raidscope run --resume {session}", self.expect(0, "list").stderr)
        plan = self.document("run", "--resume", "--dry-run", "--format", "json")
        self.assertEqual(len(plan["points"]), 3 - len(before))
        self.assertEqual(plan["duration_s"], 3 - len(before))
        done = self.expect(0, "run", "--resume", "--format", "json", cwd="/")
        self.assertIn(f"{len(before)} of 3 points are measured, {3 - len(before)} left", done.stderr)
        self.assertIn("about", done.stderr)
        printed = json.loads(done.stdout)["runs"]
        self.assertEqual([r["session_id"] for r in printed], [session] * 3)
        self.assertEqual([r["name"][-3:] for r in printed], ["qd1", "qd2", "qd4"])
        after = self.runs()
        self.assertEqual(len(after), 3, "nothing is measured twice")
        self.assertEqual([r for r in after if r in before], before)
        self.assertNotIn("unfinished", self.expect(0, "list").stderr)
        self.assertIn("no session", self.expect(66, "run", "--resume").stderr)
        self.assertIn("are measured", self.expect(64, "run", "--resume", session).stderr)

    def test_a_kill_before_the_first_result_loses_nothing(self):
        target = self.make()
        session = self.begin("run", "--target", target, *SWEEP, points=0, then=0)
        self.expect(0, "run", "--resume", session[:9])
        self.assertEqual(len(self.runs()), 3)

    def test_a_stopped_session_measures_the_interrupted_point_anew(self):
        target = self.make()
        session = self.begin("run", "--target", target, "--engine", "null", "--time", "2", *SWEEP[4:], end=signal.SIGINT, then=0.7)
        self.expect(0, "run", "--resume", session)
        whole, cut = [], []
        for entry in self.runs():
            run = self.document("show", entry["run_id"], "--format", "json")
            (cut if run["interrupted"] else whole).append(run["workload"]["queue_depth_per_worker"])
        self.assertEqual(sorted(whole), [1, 2, 4])
        self.assertEqual(len(cut), 1)

    def test_rounds_count_those_from_before(self):
        target = self.make()
        self.begin("run", "--target", target, "--engine", "null", "--time", "1", "--ramp", "0", "--until", "100", "--no-wait", points=2)
        self.expect(0, "run", "--resume")
        self.assertEqual(sorted(r["name"][-2:] for r in self.runs()), ["#1", "#2", "#3"])

    def test_what_the_session_has_said_is_not_said_again(self):
        target = self.make()
        session = self.begin("run", "--target", target, *SWEEP)
        for words in (("--time", "1"), ("--target", target), ("--queue-depth", "8"), ("--seed", "2")):
            self.assertIn(f"{words[0]} beside --resume", self.expect(64, "run", "--resume", session, *words).stderr)
        self.assertIn(f"raidscope run --resume {session}", self.expect(64, "profile", "--resume", session).stderr)
        self.assertIn(f"raidscope run --resume {session}", self.expect(66, "profile", "--resume").stderr)
        self.expect(66, "run", "--resume", "s000")
        self.expect(64, "run", "--target", target, "--accept-change")
        self.expect(0, "run", "--resume", session, "--quiet", "-o", "out.txt")
        depths = [row.split("  read ")[1].split()[0]
                  for row in (self.folder / "out.txt").read_text().splitlines() if "  read " in row]
        self.assertEqual(depths, ["1", "2", "4"])

    def test_a_session_that_is_being_measured_is_left_alone(self):
        target = self.make()
        process = subprocess.Popen([PROGRAM, "run", "--target", str(target), "--engine", "null", "--time", "60", "--ramp", "0", "--no-wait"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        limit = time.monotonic() + 60
        while not self.sessions() and time.monotonic() < limit:
            time.sleep(0.05)
        session = self.sessions()[0]
        self.assertIn(f"being measured by process {process.pid}", self.expect(0, "list").stderr)
        self.assertIn(f"process {process.pid}", self.expect(78, "run", "--resume", session).stderr)
        self.expect(66, "run", "--resume")

    def test_another_file_under_the_name_is_refused(self):
        target = self.make()
        session = self.begin("run", "--target", target, *SWEEP)
        kept = target.rename(self.folder / "kept.dat")
        self.assertIn("is not there now", self.expect(78, "run", "--resume", session).stderr)
        shutil.copy(kept, target)
        inodes = [f"inode {path.stat().st_ino}" for path in (kept, target)]
        said = self.expect(78, "run", "--resume", session).stderr
        for inode in inodes:
            self.assertIn(inode, said)
        kept.replace(target)
        os.truncate(target, 4 << 20)
        self.assertIn("8388608 bytes", self.expect(78, "run", "--resume", session).stderr)
        self.assertEqual(len(self.runs()), 1)

    def test_a_test_file_that_somebody_overwrote_is_refused(self):
        target = self.make()
        session = self.begin("run", "--target", target, *SWEEP)
        with open(target, "r+b") as file:
            file.write(b"all work and no play " * 400000)
            file.truncate(8 << 20)
        self.assertIn("test file of raidscope's", self.expect(78, "run", "--resume", session).stderr)

    def test_a_changed_configuration_is_refused_by_name_and_accepted_in_sight(self):
        target = self.make()
        given = self.write("p420i.txt", P420I)
        session = self.begin("run", "--target", target, "--inventory", given, *SWEEP)
        given.write_text(P420I.replace("10% Read / 90% Write", "25% Read / 75% Write"))
        said = self.expect(78, "run", "--resume", session).stderr
        self.assertRegex(said, r"P420i slot 0 / cache / ratio.*10.*25")
        self.assertEqual(len(self.runs()), 1)
        self.expect(1, "run", "--resume", session, "--accept-change")
        suspicious = [self.document("show", r["run_id"], "--format", "json")["checks"]["suspicions"] for r in reversed(self.runs())]
        self.assertEqual(["change" in " ".join(s) and "ratio" in " ".join(s) for s in suspicious], [False, True, True])
        self.assertNotIn("unfinished", self.expect(0, "list").stderr)

    def test_a_damaged_document_is_said_and_measures_nothing(self):
        target = self.make()
        session = self.begin("run", "--target", target, *SWEEP)
        whole = self.rows("SELECT document FROM sessions")[0]

        def without(key):
            return lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != key})

        def with_targets(**changes):
            return lambda text: json.dumps({**json.loads(text), "targets": [{**json.loads(text)["targets"][0], **changes}]})
        for change, code in ((lambda text: text[:-40], 65), (lambda text: "", 65), (lambda text: "[]", 65), (without("targets"), 65),
                             (without("boot_id"), 65), (with_targets(id=""), 65), (with_targets(size_bytes="x"), 65),
                             (with_targets(file="inode 1"), 78), (with_targets(size_bytes=1), 78),
                             (lambda text: text.replace('"queue-depth": ["1,2,4"]', '"queue-depth": ["1,2"]')
                              .replace('"queue-depth":["1,2,4"]', '"queue-depth":["1,2"]'), 78),
                             (lambda text: text.replace(session, "s1another0000"), 65)):
            self.mend(change)
            done = self.expect(code, "run", "--resume", session)
            self.assertNotIn("about", done.stderr)
            self.assertIn(session, self.expect(0, "list").stderr)
            self.mend(lambda text: whole)
        self.assertEqual(len(self.runs()), 1)
        self.expect(0, "run", "--resume", session)

    def test_a_limit_on_writing_is_given_anew(self):
        target = self.make()
        session = self.begin("run", "--target", target, "--engine", "psync", *SWEEP[2:], "--read-percent", "0", "--max-write", "100G")
        self.assertIn("--max-write 100G", self.expect(64, "run", "--resume", session).stderr)
        self.expect(78, "run", "--resume", session, "--max-write", "1M")
        self.expect(0, "run", "--resume", session, "--max-write", "100G")


class ResumedProfile(ResumeTest):
    WORDS = ("profile", "--size", "16M", "--seed", "7", *SWEEP, "-o", "r.html")

    def test_the_test_file_is_taken_up_again(self):
        session = self.begin(*self.WORDS)
        file = self.folder / "raidscope-test.dat"
        inode = file.stat().st_ino
        os.link(file, self.folder / "link.dat")
        done = self.expect(0, "profile", "--resume", session)
        self.assertNotIn("made anew", done.stderr)
        self.assertEqual((self.folder / "link.dat").stat().st_ino, inode)
        self.assertFalse(file.exists(), "it goes away at the end, as it would have")
        self.assertEqual(len(self.runs()), 3)
        self.assertIn("qd1", (self.folder / "r.html").read_text(), "the report has those from before")

    def test_a_test_file_that_is_gone_or_half_made_is_made_anew(self):
        session = self.begin(*self.WORDS, end=signal.SIGINT)
        file = self.folder / "raidscope-test.dat"
        self.assertFalse(file.exists(), "Ctrl-C takes it away")
        done = self.expect(0, "profile", "--resume", session, "--keep")
        self.assertIn("made anew", done.stderr)
        self.assertEqual(file.stat().st_size, 16 << 20)
        self.assertIn(b"seed=7", os.getxattr(file, "user.raidscope.testfile"))
        whole = [r for r in self.runs() if not self.document("show", r["run_id"], "--format", "json")["interrupted"]]
        self.assertEqual(len(whole), 3)

    def test_a_person_s_file_in_its_place_is_left_alone(self):
        session = self.begin(*self.WORDS, end=signal.SIGINT)
        own = self.make("16M", "raidscope-test.dat")
        before = own.read_bytes()
        self.assertIn("another file", self.expect(78, "profile", "--resume", session).stderr)
        self.assertEqual(own.read_bytes(), before)


class Devices(ResumeTest):
    """Loop devices stand for disks: their id is the file behind them."""

    def attach(self, file, device=None):
        done = subprocess.run(["losetup", *([str(device)] if device else ["--find", "--show"]), str(file)], capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest("needs root and loop devices: " + done.stderr)
        name = device or done.stdout.strip()
        self.addCleanup(subprocess.run, ["losetup", "-d", name], capture_output=True)
        return name

    def detach(self, device):
        subprocess.run(["losetup", "-d", device], check=True, capture_output=True)
        limit = time.monotonic() + 10
        while time.monotonic() < limit and subprocess.run(["losetup", device], capture_output=True).returncode == 0:
            time.sleep(0.05)

    def disks(self):
        if os.geteuid() != 0 or shutil.which("losetup") is None:
            self.skipTest("needs root for loop devices")
        files = []
        for name in ("one.img", "two.img"):
            file = (self.folder / name).resolve()
            with open(file, "wb") as out:
                out.truncate(16 << 20)
            files.append(file)
        return files

    def test_a_device_is_found_under_its_new_name(self):
        one, two = self.disks()
        first, second = self.attach(one), self.attach(two)
        session = self.begin("run", "--target", first, *SWEEP)
        self.detach(first)
        self.detach(second)
        self.attach(two, first)
        self.attach(one, second)
        done = self.run_cli("run", "--resume", session, "--accept-change")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn(f"{second} has that id", done.stderr)
        self.assertIn(str(two), done.stderr)
        targets = [r["target"] for r in reversed(self.runs())]
        self.assertEqual(targets, [first, second, second])
        self.assertNotIn("unfinished", self.expect(0, "list").stderr)

    def test_another_device_under_the_name_is_refused_with_both_ids(self):
        one, two = self.disks()
        first = self.attach(one)
        session = self.begin("run", "--target", first, *SWEEP)
        self.detach(first)
        self.assertIn(str(one), self.expect(78, "run", "--resume", session).stderr)
        self.attach(two, first)
        said = self.expect(78, "run", "--resume", session, "--accept-change").stderr
        self.assertIn(str(one), said)
        self.assertIn(str(two), said)
        self.detach(first)
        os.truncate(one, 8 << 20)
        self.attach(one, first)
        said = self.expect(78, "run", "--resume", session, "--accept-change").stderr
        self.assertIn("16777216 bytes", said)
        self.assertIn("8388608", said)

    def test_leave_to_destroy_carries_but_not_to_what_came_later(self):
        one, _ = self.disks()
        if shutil.which("mkfs.ext4") is None:
            self.skipTest("needs mkfs.ext4")
        with open(one, "r+b") as out:
            out.write(os.urandom(1 << 20))
        first = self.attach(one)
        words = ("run", "--target", first, "--read-percent", "0", "--time", "1", "--ramp", "0", "--queue-depth", "1,2,4,8", "--no-wait")
        session = self.begin(*words, "--destroy-data", one)
        subprocess.run(["mkfs.ext4", "-q", "-F", first], check=True, capture_output=True)
        self.assertIn("signature", self.expect(78, "run", "--resume", session, "--accept-change").stderr)
        subprocess.run(["wipefs", "-a", first], check=True, capture_output=True)
        done = self.run_cli("run", "--resume", session, "--accept-change")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(len(self.runs()), 4)


if __name__ == "__main__":
    unittest.main()
