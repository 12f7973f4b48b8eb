"""Running, storing, showing: on real files of the file system that the tests lie on."""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from support import PROGRAM, CliTest
from test_front_door import P420I

SHORT = ("--time", "1", "--ramp", "0")


class Profile(CliTest):
    def test_the_main_job_in_one_go(self):
        page = self.folder / "report.html"
        target = self.folder / "test.dat"
        done = self.expect(0, "profile", "--target", target, "--size", "64M", *SHORT, "-o", page)
        self.assertIn(str(page), done.stdout)
        self.assertFalse(target.exists(), "the test file goes away")
        html = page.read_text()
        self.assertIn("<html", html)
        self.assertNotIn("src=\"http", html)
        runs = self.document("list", "--format", "json")["runs"]
        self.assertEqual(len(runs), 3, "sqlio-study has three tests")
        self.assertEqual(len({r["session_id"] for r in runs}), 1)
        for entry in runs:
            run = self.document("show", entry["run_id"], "--format", "json")
            self.assertEqual(run["origin"], "measured")
            self.assertGreater(run["iops"], 0)
            self.assertTrue(run["engine"]["direct"], run["engine"])
            self.assertIs(run["config_changed"], False)
            self.assertEqual(run["inventory_before"]["fingerprint"], run["inventory_after"]["fingerprint"])
            self.assertRegex(run["inventory_before"]["snapshot"], "^sha256:[0-9a-f]{64}$")
            self.assertAlmostEqual(run["bytes_per_s"], run["iops"] * 65536, delta=run["bytes_per_s"] * 0.01)
            self.assertLessEqual(sum(p["ios"] for p in run["series"]), run["read"]["ios"] + run["write"]["ios"])
        for words, sign in ((("report", "latest", "--format", "markdown"), "|"), (("report", "latest", "--format", "csv"), ","),
                            (("show", "latest"), "IOPS")):
            self.assertIn(sign, self.expect(0, *words).stdout)
        session = runs[0]["session_id"]
        self.expect(0, "report", session, "-o", self.folder / "again.html")
        self.assertIn(".xyz", self.expect(64, "report", session, "-o", "again.xyz").stderr)
        self.assertIn("<canvas", (self.folder / "again.html").read_text())
        self.expect(0, "diff", runs[0]["run_id"], runs[1]["run_id"])

    def test_keep_and_a_second_time(self):
        target = self.folder / "test.dat"
        for _ in range(2):
            self.expect(0, "profile", "--target", target, "--size", "32M", "--keep", *SHORT, "-o", self.folder / "r.html")
            self.assertEqual(target.stat().st_size, 32 << 20)
        self.assertGreaterEqual(target.stat().st_blocks * 512, 32 << 20, "no holes")

    def test_a_measurement_above_what_its_drive_is_said_to_do(self):
        done = self.expect(0, "profile", "--target", self.folder / "t.dat", "--size", "16M", *SHORT, "-o", self.folder / "r.html",
                           "--block-size", "4k", "--drive-iops", "1", "--format", "json")
        run = self.document("show", json.loads(done.stdout)["runs"][0]["run_id"], "--format", "json")
        if not run["inventory_before"]["fingerprint"]:
            self.skipTest("it is not known on which drive the file lies")
        self.assertEqual(run["checks"]["physical_bound_iops"], 1)
        self.assertIn("--drive-iops", run["checks"]["bound_name"])
        self.assertIn("W11", [f["rule"] for f in run["audit"]])
        self.assertIn("W11 error", done.stderr)
        self.assertTrue(any("above the physical bound" in s for s in run["checks"]["suspicions"]))
        self.assertIn("--drive-iops takes", self.expect(64, "profile", "--drive-iops", "none").stderr)

    def test_json_is_a_list_of_what_was_stored(self):
        document = self.document("profile", "--target", self.folder / "t.dat", "--size", "16M", "--format", "json", *SHORT,
                                 "-o", self.folder / "r.html", "--block-size", "4k", "--read-percent", "100,50")
        self.assertEqual(document["schema"], "raidscope.list/1")
        self.assertEqual(len(document["runs"]), 2)


class Run(CliTest):
    def measuring(self, process, ramp=0):
        """Waits until the program says that it measures, and lets it do so."""
        for line in process.stderr:
            if b", about " in line:
                time.sleep(ramp + 1.5)
                return
        self.fail("it never measured")

    def make(self, size="32M", name="made.dat"):
        path = self.folder / name
        self.expect(0, "testfile", "create", path, "--size", size)
        return path

    def test_a_missing_target_says_how_to_make_one(self):
        self.assertIn("testfile create", self.expect(66, "run", "--target", self.folder / "none.dat", *SHORT).stderr)

    def test_a_sweep_stores_every_point(self):
        path = self.make()
        document = self.document("run", "--target", path, *SHORT, "--block-size", "4k,64k", "--queue-depth", "1,4", "--format", "json")
        self.assertEqual(len(document["runs"]), 4)
        self.assertEqual(len({r["name"] for r in document["runs"]}), 4)

    def test_a_foreign_file_is_not_written(self):
        path = self.write("precious.dat", os.urandom(1 << 22))
        before = path.read_bytes()
        done = self.expect(78, "run", "--target", path, "--read-percent", "0", *SHORT)
        self.assertIn("precious.dat", done.stderr)
        self.assertEqual(path.read_bytes(), before)
        self.expect(0, "run", "--target", path, "--read-percent", "100", *SHORT)
        self.assertEqual(path.read_bytes(), before)
        self.expect(0, "run", "--target", path, "--read-percent", "0", *SHORT, "--destroy-data", path.resolve())
        self.assertNotEqual(path.read_bytes(), before)

    def test_dry_run_writes_nothing_and_says_what_would_be(self):
        path = self.folder / "new.dat"
        plan = self.document("profile", "--target", path, "--size", "64M", "--preset", "sqlio-study", "--dry-run", "--format", "json")
        self.assertEqual(plan["schema"], "raidscope.plan/1")
        self.assertEqual(len(plan["points"]), 3)
        self.assertEqual(plan["duration_s"] >= 360, True)
        self.assertGreaterEqual(plan["bytes_to_write"], 64 << 20)
        self.assertFalse(path.exists())
        refused = self.document("run", "--target", self.write("f.dat", b"x" * 8192), "--read-percent", "0", "--dry-run", "--format", "json")
        self.assertIn("foreign_file", [r["code"] for r in refused["refusals"]])

    def test_max_write(self):
        self.assertIn("--max-write", self.expect(78, "profile", "--target", self.folder / "x.dat", "--size", "64M", "--max-write", "1M").stderr)
        self.assertFalse((self.folder / "x.dat").exists())

    def test_max_write_bounds_what_a_run_writes(self):
        path = self.make("48M")
        self.expect(0, "run", "--target", path, "--read-percent", "0", "--time", "20", "--ramp", "0", "--queue-depth", "16",
                    "--max-write", "60M")
        run = self.document("show", "latest", "--format", "json")
        written = run["write"]["ios"] * 4096
        self.assertLessEqual(written, 60 << 20)
        self.assertGreater(written, 50 << 20, "the limit is used")

    def test_a_target_that_is_too_small_is_told_a_way_out(self):
        path = self.make("1M")
        self.assertIn("use --size 1M or less", self.expect(64, "run", "--target", path, "--size", "4M", *SHORT).stderr)
        self.assertIn("testfile create FILE --size 4G",
                      self.expect(64, "run", "--target", path, "--preset", "iometer-database", *SHORT).stderr)

    def test_requests_that_do_not_fit_in_memory_are_refused(self):
        path = self.make()
        words = ("run", "--target", path, "--workers", "1024", "--queue-depth", "16384", "--block-size", "1M", *SHORT)
        self.assertIn("of memory", self.expect(64, *words).stderr)
        self.assertIn("of memory", self.expect(0, *words, "--dry-run").stdout)

    def test_an_alignment_that_leaves_one_place_is_refused(self):
        path = self.make()
        for alignment in ("1T", "48M"):
            self.assertIn("one place", self.expect(64, "run", "--target", path, "--alignment", alignment, *SHORT).stderr)
        self.assertIn("32 places", self.expect(0, "run", "--target", path, "--alignment", "1M", "--dry-run", *SHORT).stdout)

    def test_a_person_s_own_test_file_is_neither_removed_nor_resized(self):
        path = self.make("48M", "raidscope-test.dat")
        self.expect(0, "profile", *SHORT, "-o", "r.html")
        self.assertEqual(path.stat().st_size, 48 << 20)
        self.expect(0, "profile", "--target", path, "--size", "16M", *SHORT, "-o", "r.html")
        self.assertEqual(path.stat().st_size, 48 << 20)
        self.assertEqual(self.document("show", "latest", "--format", "json")["workload"]["area_bytes"], 16 << 20)
        self.assertIn("testfile create", self.expect(64, "profile", "--target", path, "--size", "96M", *SHORT).stderr)
        self.assertEqual(path.stat().st_size, 48 << 20)

    def test_names_of_any_bytes_do_not_break_documents(self):
        name = b"na\xefme.dat"
        self.expect(64, "run", "--target", "x", "--name", "bad\udcff")
        path = os.fsdecode(os.path.join(os.fsencode(self.folder), name))
        self.expect(0, "testfile", "create", path, "--size", "8M")
        self.expect(0, "testfile", "check", path, "--format", "json")
        done = subprocess.run([PROGRAM, "run", "--target", path, *SHORT, "--format", "json"], capture_output=True,
                              env=self.environment, cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        json.loads(done.stdout)
        self.assertEqual(len(json.loads(self.expect(0, "list", "--format", "json").stdout)["runs"]), 1)

    def test_an_output_that_cannot_be_written_is_said_before_measuring(self):
        path = self.make()
        for output in ("/nonexistent/r.html", str(self.folder)):
            for verb in ("run", "profile"):
                began = time.monotonic()
                self.expect(73, verb, "--target", path, "--time", "30", "--ramp", "0", "-o", output)
                self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(self.expect(0, "list", "--format", "json").stdout.count("run_id"), 0)

    def test_a_second_look_that_was_interrupted_is_unknown(self):
        path = self.make()
        tool = self.write("ssacli", "#!/bin/sh\nsleep 2\ncat <<'END'\n" + P420I + "\nEND\n")
        tool.chmod(0o755)
        process = subprocess.Popen([PROGRAM, "run", "--target", str(path), "--ssacli", str(tool), "--time", "1", "--ramp", "0"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
        for line in process.stderr:
            if b"1 point" in line:
                break
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertIsNone(self.document("show", "latest", "--format", "json")["config_changed"])

    def test_a_terminal_that_goes_away_ends_a_run_as_a_signal_does(self):
        process = subprocess.Popen([PROGRAM, "profile", "--size", "32M", "--time", "20"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        time.sleep(4)
        process.send_signal(signal.SIGHUP)
        process.wait(timeout=30)
        self.assertEqual(process.returncode, 129)
        self.assertFalse((self.folder / "raidscope-test.dat").exists())
        self.assertEqual(self.expect(0, "list", "--format", "json").stdout.count("run_id"), 1)

    def test_figures_of_the_page_cache_are_not_valid(self):
        path = self.make("8M")
        self.expect(0, "run", "--target", path, "--buffered", "--time", "2", "--ramp", "1")
        checks = self.document("show", "latest", "--format", "json")["checks"]
        self.assertIn("page cache served", " ".join(checks["suspicions"]))
        self.assertIs(checks["valid"], False)

    def test_dry_run_looks_at_the_store(self):
        path = self.make()
        self.assertIn("postgresql", self.expect(0, "run", "--target", path, "--dry-run", "--store", "postgresql://x/y", *SHORT).stdout)

    def test_one_target_under_two_names_is_refused(self):
        path = self.make()
        (self.folder / "other.dat").symlink_to(path)
        for other in ("./made.dat", "other.dat"):
            done = self.expect(64, "run", "--target", path, "--target", other, *SHORT)
            self.assertIn("two names", done.stderr)

    def test_one_run_at_a_time_writes_a_file(self):
        path = self.make()
        words = [PROGRAM, "run", "--target", str(path), "--read-percent", "0", "--time", "4", "--ramp", "0"]
        first = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
        time.sleep(2)
        try:
            self.assertRegex(self.expect(78, *words[1:]).stderr, "another run|open for writing")
            self.expect(0, "run", "--target", path, *SHORT)
        finally:
            first.communicate(timeout=30)
        self.assertEqual(first.returncode, 0)
        self.expect(0, "run", "--target", path, "--read-percent", "0", *SHORT)

    def test_a_stop_while_probing_ends_the_run_and_stores_nothing(self):
        path = self.make()
        hang = self.write("hang", "#!/bin/sh\nexec sleep 1000\n")
        hang.chmod(0o755)
        for verb in ("run", "profile"):
            process = subprocess.Popen([PROGRAM, verb, "--target", str(path), "--ssacli", str(hang), "--time", "30"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
            time.sleep(2)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130)
            self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.expect(0, "list", "--format", "json").stdout.count("run_id"), 0)

    def test_a_test_file_that_a_killed_profile_left_goes_away_with_the_next(self):
        process = subprocess.Popen([PROGRAM, "profile", "--size", "32M", "--time", "60"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment, cwd=self.folder)
        time.sleep(3)
        process.kill()
        process.wait()
        self.assertTrue((self.folder / "raidscope-test.dat").exists())
        self.expect(0, "profile", "--size", "32M", *SHORT, "-o", "r.html")
        self.assertFalse((self.folder / "raidscope-test.dat").exists())

    def test_rounds_end_when_they_agree(self):
        target = self.make()
        words = ("run", "--target", target, "--engine", "null", "--time", "0.2", "--ramp", "0", "--format", "json")
        runs = self.document(*words, "--until", "100", "--queue-depth", "1,4")["runs"]
        # Three at the least; a busy machine may ask for more.
        rounds = {}
        for run in runs:
            point, number = run["name"].rsplit("#", 1)
            rounds.setdefault(point, []).append(int(number))
        self.assertEqual(len(rounds), 2, rounds)
        for numbers in rounds.values():
            self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
            self.assertGreaterEqual(len(numbers), 3)
        last = self.document("show", runs[-1]["run_id"], "--format", "json")
        self.assertIsNotNone(last["inventory_after"], "the last that was measured has the closing look")
        runs = self.document(*words, "--until", "0.0000001%", "--repeat", "4")["runs"]
        self.assertEqual(len(runs), 4, "--repeat is the most")
        for wrong in ("0", "x", "-5", "101", ""):
            self.expect(64, *words, "--until", wrong)

    def test_a_drain_is_as_long_as_it_was_asked_for(self):
        target = self.make()
        words = ("run", "--target", target, "--engine", "null", "--time", "0.2", "--ramp", "0", "--repeat", "2")
        begin = time.monotonic()
        done = self.expect(0, *words, "--drain", "2s")
        self.assertGreaterEqual(time.monotonic() - begin, 2.4)
        self.assertIn("idle for 2", done.stderr)
        self.assertNotIn("idle for", self.expect(0, *words).stderr)
        self.expect(64, *words, "--drain", "soon")

    def test_a_sweep_over_depths_says_where_more_brings_nothing(self):
        target = self.make()
        done = self.expect(0, "run", "--target", target, "--engine", "null", "--time", "0.2", "--ramp", "0",
                           "--queue-depth", "1,2,4,8", "--repeat", "2")
        self.assertRegex(done.stderr, "sweet spot")

    def test_interruption_keeps_what_was_measured(self):
        path = self.make()
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = subprocess.Popen([PROGRAM, "run", "--target", str(path), "--time", "60", "--ramp", "0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
            self.measuring(process)
            process.send_signal(number)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, code)
            run = self.document("show", "latest", "--format", "json")
            self.assertIs(run["interrupted"], True)
            self.assertGreater(run["iops"], 0)

    def test_interrupted_profile_removes_its_file(self):
        path = self.folder / "going.dat"
        process = subprocess.Popen([PROGRAM, "profile", "--target", str(path), "--size", "64M", "--time", "60", "-o", "r.html"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
        self.measuring(process, ramp=2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(path.exists())
        self.assertTrue((self.folder / "r.html").exists(), "what was measured is reported")

    def test_progress_with_an_eta_on_a_terminal_only(self):
        path = self.make()
        code, text = self.in_terminal("run", "--target", path, "--time", "4", "--ramp", "0")
        self.assertEqual(code, 0)
        self.assertIn("left", text)
        self.assertNotIn("\r", self.expect(0, "run", "--target", path, "--time", "3", "--ramp", "0").stderr)

    def test_a_blocker_stops_and_accept_is_stored(self):
        path = self.make()
        broken = self.write("broken.txt", P420I.replace("Controller Status: OK", "Controller Status: Failed"))
        done = self.expect(78, "run", "--target", path, "--inventory", broken, *SHORT)
        self.assertIn("T01", done.stderr)
        self.expect(0, "run", "--target", path, "--inventory", broken, "--accept", "T01", *SHORT)
        run = self.document("show", "latest", "--format", "json")
        self.assertEqual((run["accepted"], run["inventory_origin"]), (["T01"], "given"))
        self.assertIsNone(run["config_changed"])
        self.assertEqual((run["target"]["controller"], run["target"]["logical_drive"]), ("0", 1))

    def test_a_changed_configuration_is_said(self):
        path = self.make()
        before = self.write("before.txt", P420I)
        after = self.write("after.txt", P420I.replace("Cache Status: OK", "Cache Status: Temporarily Disabled"))
        done = self.expect(1, "run", "--target", path, "--inventory", before, "--inventory-after", after, *SHORT)
        self.assertIn("changed", done.stderr)
        run = self.document("show", "latest", "--format", "json")
        self.assertIs(run["config_changed"], True)
        self.assertNotEqual(run["inventory_before"]["fingerprint"], run["inventory_after"]["fingerprint"])
        same = self.expect(0, "run", "--target", path, "--inventory", before, "--inventory-after", before, *SHORT)
        self.assertNotIn("changed", same.stderr)

    def test_a_drive_that_went_during_the_run_stands_in_the_audit_of_the_result(self):
        path = self.make()
        drive = P420I[P420I.index("      Logical Drive: 1"):].rstrip() + "\n"
        second = drive.replace("Logical Drive: 1", "Logical Drive: 2").replace("/dev/sda", "/dev/sdb").replace("0001\n", "0002\n")
        before = self.write("before.txt", P420I.rstrip() + "\n\n" + second + "\n")
        after = self.write("after.txt", P420I)
        done = self.expect(1, "run", "--target", path, "--inventory", before, "--inventory-after", after, *SHORT)
        self.assertIn("T20", done.stderr)
        audit = self.document("show", "latest", "--format", "json")["audit"]
        self.assertIn(("T20", "warning"), [(f["rule"], f["severity"]) for f in audit])
        self.expect(0, "run", "--target", path, "--inventory", before, "--inventory-after", before, *SHORT)
        audit = self.document("show", "latest", "--format", "json")["audit"]
        self.assertNotIn("T20", [f["rule"] for f in audit])

    def test_engines(self):
        path = self.make()
        for engine in ("io_uring", "psync", "null"):
            self.expect(0, "run", "--target", path, "--engine", engine, *SHORT)
            self.assertEqual(self.document("show", "latest", "--format", "json")["engine"]["name"], engine)

    def test_a_store_that_cannot_be_written_stops_before_measuring(self):
        path = self.make()
        began = time.monotonic()
        self.expect(73, "run", "--target", path, "--store", "/proc/no/runs.db", "--time", "30")
        self.assertLess(time.monotonic() - began, 10)
        self.expect(69, "list", "--store", "postgresql://localhost/raidscope")
        self.expect(65, "list", "--store", self.write("junk.db", b"this is no database at all" * 100))

    def test_a_drive_that_is_not_decided_is_said(self):
        drive = P420I[P420I.index("      Logical Drive: 1"):].rstrip() + "\n"
        second = drive.replace("Logical Drive: 1", "Logical Drive: 2").replace("/dev/sda", "/dev/sdb").replace("0001\n", "0002\n")
        both = self.write("two.txt", P420I.rstrip() + "\n\n" + second + "\n")
        self.assertEqual(self.expect(0, "probe", "--from", both).stdout.count("LD "), 2)
        done = self.run_cli("run", "--target", self.make(), "--inventory", both, *SHORT)
        self.assertRegex(done.stdout, r"measured on\s+undecided: which drive of the given inventory")
        self.assertIn("--logical-drive SLOT:NUMBER", done.stdout)
        self.assertIn("undecided", self.expect(0, "show", "latest").stdout)

    def test_an_unknown_run(self):
        self.assertIn("no runs", self.expect(66, "show", "nonesuch").stderr)
        self.expect(0, "run", "--target", self.make(), *SHORT)
        self.assertIn("nonesuch", self.expect(66, "show", "nonesuch").stderr)


class TestFile(CliTest):
    def test_create_and_check(self):
        path = self.folder / "made.dat"
        self.expect(0, "testfile", "create", path, "--size", "32M")
        done = self.document("testfile", "check", path, "--format", "json")
        self.assertEqual((done["sparse"], done["compressible"], done["repeated"], done["made_by_raidscope"]), (False, False, False, True))
        capture = self.write("p420i.txt", P420I)
        small = self.document("testfile", "check", path, "--inventory", capture, "--format", "json", code=1)
        self.assertIs(small["small_for_cache"], True)

    def test_bad_files(self):
        sparse = self.folder / "sparse.dat"
        with open(sparse, "wb") as f:
            f.truncate(64 << 20)
        self.expect(2, "testfile", "check", sparse)
        text = self.write("text.dat", b"all work and no play " * 400000)
        found = self.document("testfile", "check", text, "--format", "json", code=2)
        self.assertTrue(found["compressible"] or found["repeated"])
        block = os.urandom(1 << 16)
        repeated = self.document("testfile", "check", self.write("again.dat", block * 256), "--format", "json", code=2)
        self.assertTrue(repeated["repeated"])
        self.expect(66, "testfile", "check", self.folder / "none.dat")
        tiny = self.document("testfile", "check", self.write("tiny.dat", "hello\n"), "--format", "json", code=1)
        self.assertIsNone(tiny["compressible"])
        self.assertIn("too small to tell", tiny["problems"][0])
        self.assertNotIn("real, incompressible", self.expect(1, "testfile", "check", self.folder / "tiny.dat").stdout)
        created = self.document("testfile", "create", self.folder / "made.dat", "--size", "1M", "--format", "json")
        self.assertEqual(created["schema"], "raidscope.testfile/1")
        self.assertEqual((created["size_bytes"], created["made_by_raidscope"]), (1 << 20, True))

    def test_disk_full_is_said_and_nothing_is_left(self):
        if os.geteuid() != 0 or shutil.which("losetup") is None:
            self.skipTest("needs root for a small file system")
        image, mount = self.folder / "small.img", self.folder / "mnt"
        mount.mkdir()
        subprocess.run(["truncate", "-s", "300M", image], check=True)
        subprocess.run(["mkfs.ext4", "-q", image], check=True)
        if subprocess.run(["mount", "-o", "loop", image, mount], capture_output=True).returncode != 0:
            self.skipTest("this machine has no loop devices")
        try:
            done = self.run_cli("testfile", "create", mount / "t.dat", "--size", "1G")
            self.assertIn(done.returncode, (73, 78), done.stderr)
            self.assertIn("free", done.stderr)
            self.assertFalse((mount / "t.dat").exists())
        finally:
            subprocess.run(["umount", mount], check=True)


class Catalogues(CliTest):
    def test_presets_controllers_and_schemas(self):
        for name in ("sqlio-study", "iometer-database", "iometer-queue-sweep"):
            self.assertIn(name, self.expect(0, "presets").stdout)
        self.assertIn("P420i", self.expect(0, "controllers").stdout)
        self.assertIn("Gen8", self.expect(0, "controllers", "p420i").stdout)
        self.expect(64, "controllers", "P9999")
        for name in self.document("schemas", "--format", "json")["schemas"]:
            self.assertEqual(json.loads(self.expect(0, "schemas", name).stdout)["$schema"], "https://json-schema.org/draft/2020-12/schema")

    def test_the_published_numbers_of_the_presets(self):
        presets = {p["name"]: p for p in self.document("presets", "--format", "json")["presets"]}
        database = presets["iometer-database"]["points"][0]
        self.assertEqual((database["workers"], database["queue_depth_per_worker"], database["outstanding_total"], database["area_bytes"],
                          database["read_percent"], database["duration_s"], database["alignment_bytes"]),
                         (8, 64, 512, 4 << 30, 67, 540, 512))
        total = {p["name"]: p for p in self.document("presets", "--reading", "total", "--format", "json")["presets"]}
        self.assertEqual(total["iometer-database"]["points"][0]["outstanding_total"], 64)
        sweep = presets["iometer-queue-sweep"]
        self.assertEqual(sorted({p["queue_depth_per_worker"] for p in sweep["points"]}), [1, 2, 4, 8, 16, 24, 32, 64])
        self.assertEqual((sweep["repeats"], sweep["points"][0]["area_bytes"], sweep["points"][0]["workers"]), (4, 10_000_000 * 512, 2))
        self.assertEqual(len(presets["sqlio-study"]["points"]), 3)


if __name__ == "__main__":
    unittest.main()
