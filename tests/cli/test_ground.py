"""What a run says of a target that is memory, or that lies on something which answers from memory."""
import pathlib
import subprocess
import unittest

from support import CliTest
from test_runs import SHORT


class Ground(CliTest):
    def done(self, *words):
        return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=30)

    def mount(self, *words):
        """Mounts on a folder of the test's own until its end."""
        point = self.folder / "mount"
        point.mkdir()
        done = self.done("mount", *words, point)
        if done.returncode != 0:
            self.skipTest("needs root for a small file system: " + done.stderr)
        self.addCleanup(self.done, "umount", point)
        return point

    def loop(self, image, *options):
        done = self.done("losetup", "--find", "--show", *options, image)
        if done.returncode != 0:
            self.skipTest("needs root for a loop device: " + done.stderr)
        self.addCleanup(self.done, "losetup", "-d", done.stdout.strip())
        return done.stdout.strip()

    def measured(self, target, *words):
        done = self.run_cli("run", "--target", target, "--read-percent", "100", "--format", "json", *words, *SHORT)
        if "refuses direct I/O" in done.stderr:
            self.skipTest("this kernel's tmpfs takes no O_DIRECT")
        return self.document("show", "latest", "--format", "json")

    def image(self, folder, size="32M"):
        self.expect(0, "testfile", "create", folder / "image", "--size", size)
        return folder / "image"

    def test_a_file_in_memory(self):
        small = self.mount("-t", "tmpfs", "-o", "size=64m", "none")
        (small / "t.dat").write_bytes(bytes(range(256)) * (16 << 12))
        for words in ((), ("--buffered",)):
            run = self.measured(small / "t.dat", *words)
            self.assertFalse(run["engine"]["direct"])
            self.assertFalse(run["checks"]["valid"])
            self.assertIn("tmpfs keeps its files in memory", run["engine"]["direct_proof"])

    def test_a_loop_device_over_a_file_in_memory(self):
        small = self.mount("-t", "tmpfs", "-o", "size=64m", "none")
        (small / "image").write_bytes(bytes(32 << 20))
        run = self.measured(self.loop(small / "image"))
        self.assertFalse(run["engine"]["direct"])
        self.assertFalse(run["checks"]["valid"])
        self.assertIn("tmpfs", run["engine"]["direct_proof"])

    def test_a_buffered_loop_device_is_seen_through(self):
        image = self.image(self.folder)
        image.read_bytes()  # is in the page cache now
        device = self.loop(image, "--direct-io=off")
        run = self.measured(device)
        self.assertFalse(run["engine"]["direct"])
        self.assertFalse(run["checks"]["valid"])
        self.assertIn("at what it lies on", run["engine"]["direct_proof"])
        self.assertTrue(any("through the page cache" in s for s in run["checks"]["suspicions"]), run["checks"])

    def test_a_direct_loop_device_is_direct(self):
        device = self.loop(self.image(self.folder), "--direct-io=on")
        if pathlib.Path(f"/sys/block/{device[5:]}/loop/dio").read_text().strip() != "1":
            self.skipTest("the file system under the loop device takes no direct I/O")
        run = self.measured(device)
        self.assertTrue(run["engine"]["direct"], run["engine"])
        self.assertTrue(run["checks"]["valid"], run["checks"])


if __name__ == "__main__":
    unittest.main()
