"""The store as the command line sees it: who may only read reads, and readers make nothing."""
import os
import shutil
import subprocess
import unittest

from support import PROGRAM, CliTest
from test_runs import SHORT

NOBODY = 65534


class StoreCliTest(CliTest):
    def stored(self, store):
        """A store with one run; gives the run's id."""
        target = self.folder / "own.dat"
        if not target.exists():
            self.expect(0, "testfile", "create", target, "--size", "8M")
        document = self.document("run", "--target", target, "--store", store, "--engine", "null", "--format", "json", *SHORT)
        return document["runs"][0]["run_id"]

    def files(self, folder=None):
        return sorted(str(p.relative_to(self.folder)) for p in (folder or self.folder).rglob("*"))

    def as_nobody(self, *words, **environment):
        if os.geteuid() != 0:
            self.skipTest("needs root to become somebody else")
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60, cwd="/", user=NOBODY,
                              group=NOBODY, extra_groups=[], env=dict(self.environment, **environment))


class Readers(StoreCliTest):
    def test_who_may_only_read_reads(self):
        store = self.folder / "st" / "runs.db"
        run = self.stored(store)
        self.folder.chmod(0o755)
        for mode in (0o755, 0o777):
            store.chmod(0o444)
            store.parent.chmod(mode)
            for words in (("list",), ("show", run), ("report", run), ("diff", run, run)):
                done = self.as_nobody(*words, "--store", store)
                self.assertEqual(done.returncode, 0, (words, done.stderr))
                self.assertTrue(done.stdout)
            self.assertEqual(self.files(store.parent), ["st/runs.db"])

    def test_a_read_only_mount(self):
        store = self.folder / "st" / "runs.db"
        run = self.stored(store)
        script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && shift && exec "$@"'
        for words in (("list",), ("show", run), ("report", run), ("diff", run, run)):
            done = subprocess.run(["unshare", "-m", "sh", "-c", script, store.parent, "-", PROGRAM, *words, "--store", store],
                                  capture_output=True, text=True, env=self.environment, timeout=60)
            if "unshare" in done.stderr or "mount:" in done.stderr:
                self.skipTest("needs root for a read-only mount")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_nothing_is_made_by_reading(self):
        empty = self.write("empty", "")
        before = self.files()
        self.expect(65, "list", "--store", empty)
        self.expect(66, "list", "--store", self.folder / "nodir" / "sub" / "x.db")
        for words in (("show", "latest"), ("report", "latest"), ("diff", "latest", "latest")):
            for store in (self.folder / "none.db", self.folder / "nodir" / "x.db"):
                self.assertIn("there is no store yet", self.expect(66, *words, "--store", store).stderr)
            self.expect(66, *words)
        listed = self.document("list", "--store", self.folder / "none.db", "--format", "json")
        self.assertEqual(listed["runs"], [])
        self.expect(0, "list")
        self.assertEqual(self.files(), before)
        self.assertEqual(empty.stat().st_size, 0)

    def test_no_store_yet_is_no_runs_for_anybody(self):
        done = self.as_nobody("list", HOME="/nonexistent", XDG_DATA_HOME="")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No runs", done.stdout)

    def test_an_older_store_is_read_by_who_may_only_read(self):
        store = self.folder / "st" / "runs.db"
        self.stored(store)
        if shutil.which("sqlite3") is None:
            self.skipTest("needs the sqlite3 program")
        subprocess.run(["sqlite3", store, "DROP INDEX runs_by_session; DROP INDEX runs_by_fingerprint; "
                        "DROP INDEX runs_by_snapshot_before; DROP INDEX runs_by_snapshot_after; PRAGMA user_version = 1"], check=True)
        self.folder.chmod(0o755)
        done = self.as_nobody("list", "--store", store)
        self.assertEqual(done.returncode, 0, done.stderr)


class Places(StoreCliTest):
    def test_what_cannot_be_a_store(self):
        own = self.folder / "own.dat"
        self.expect(0, "testfile", "create", own, "--size", "8M")
        folder = self.folder / "folder"
        folder.mkdir()
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        run = ("run", "--target", own, "--engine", "null", *SHORT)
        for store, reads, writes in (("/dev/null", 65, 65), ("/dev/full", 65, 65), (folder, 65, 65), (pipe, 65, 65),
                                     (own, 65, 65), (own / "x.db", 66, 73)):
            beside = [f"{store}{end}" for end in ("-journal", "-wal", "-shm")]
            before = [os.path.exists(path) for path in beside]
            for verb in (("list",), ("show", "latest"), ("report", "latest"), ("diff", "latest", "latest")):
                self.assertIn(str(store), self.expect(reads, *verb, "--store", store).stderr)
            self.expect(writes, *run, "--store", store)
            self.assertEqual([os.path.exists(path) for path in beside], before)


class FullDisk(StoreCliTest):
    def mounted(self, *words):
        small = self.folder / "small"
        small.mkdir()
        done = subprocess.run(["mount", *map(str, words), small], capture_output=True, text=True, timeout=30)
        if done.returncode != 0:
            self.skipTest("needs root for a small file system: " + done.stderr)
        self.addCleanup(subprocess.run, ["umount", small], check=True, timeout=30)
        return small

    def fill(self, small):
        for size in (4096, 512):
            with open(small / f"filler{size}", "wb", buffering=0) as filler:
                try:
                    while filler.write(b"x" * size):
                        pass
                    os.fsync(filler.fileno())
                except OSError:
                    pass

    def named_and_nothing_left(self, small):
        target = self.folder / "own.dat"
        run = self.stored(small / "runs.db")
        self.fill(small)
        before = self.files(small)
        for words in (("list",), ("show", run), ("report", run), ("diff", run, run)):
            self.expect(0, *words, "--store", small / "runs.db")
            self.assertEqual(self.files(small), before)
        for name in ("runs.db", "new.db", "a/b/new.db"):
            done = self.expect(73, "run", "--target", target, "--engine", "null", *SHORT, "--store", small / name)
            self.assertIn("no space left", done.stderr.lower())
            self.assertIn("make room", done.stderr)
            self.assertEqual(self.files(small), before)

    def test_it_is_named_and_nothing_is_left(self):
        self.named_and_nothing_left(self.mounted("-t", "tmpfs", "-o", "size=400k", "none"))

    def test_so_it_is_on_a_disk(self):
        image = self.folder / "image"
        with open(image, "wb") as file:
            file.truncate(8 << 20)
        if shutil.which("mkfs.ext4") is None:
            self.skipTest("needs mkfs.ext4")
        subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True, timeout=30)
        self.named_and_nothing_left(self.mounted("-o", "loop", image))


if __name__ == "__main__":
    unittest.main()
