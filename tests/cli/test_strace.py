"""What a probe writes, seen from outside: strace of raidscope's own processes."""
import re
import shutil
import subprocess
import unittest

from support import PROGRAM, CliTest
from test_front_door import P420I

CHANGES = ("unlink", "rename", "mkdir", "rmdir", "truncate", "ftruncate", "chmod", "fchmod", "chown", "fchown", "link", "symlink",
           "mknod", "setxattr", "removexattr", "mount", "umount", "utime", "fallocate")


@unittest.skipUnless(shutil.which("strace"), "strace is not installed")
class Strace(CliTest):
    def calls(self, *words):
        log = self.folder / "trace"
        done = subprocess.run(["strace", "-f", "-qq", "-y", "-s", "16", "-o", str(log), PROGRAM, *map(str, words)], capture_output=True,
                              env={**self.environment, "ASAN_OPTIONS": "detect_leaks=0"}, cwd=self.folder, timeout=120)  # no leak check under ptrace
        if b"ptrace" in done.stderr:
            self.skipTest(f"strace cannot trace here: {done.stderr[-200:]}")
        foreign = set()
        for line in log.read_text(errors="replace").splitlines():
            match = re.match(r"(\d+)\s+(\w+)\((.*)", line)
            if not match:
                continue
            pid, call, rest = match.groups()
            # A process that became another program is the vendor tool.
            if call == "execve" and PROGRAM not in rest:
                foreign.add(pid)
            if pid not in foreign:
                yield call, rest, line

    def check(self, allowed, *words):
        seen = 0
        for call, rest, line in self.calls(*words):
            seen += 1
            if call in ("write", "pwrite64", "writev", "pwritev"):
                self.assertRegex(rest, r"^[12]<|^\d+<pipe:|^\d+<(?:socket|UNIX)" + "".join(f"|^\\d+<{re.escape(name)}" for name in allowed), line)
            elif call in ("open", "openat", "creat") and re.search(r"O_WRONLY|O_RDWR|O_CREAT", rest):
                self.assertTrue(any(name in rest for name in (*allowed, "vendor-tool", ".lock", "/dev/null")), line)
            elif call.startswith(CHANGES):
                self.assertTrue(any(name in rest for name in allowed), line)
        self.assertGreater(seen, 50, "the trace holds the probe")

    def test_a_probe_writes_its_output_and_its_lock_alone(self):
        tool = self.write("ssacli", "#!/bin/sh\ncat <<'END'\n" + P420I + "\nEND\n")
        tool.chmod(0o755)
        self.check((), "probe", "--ssacli", tool)
        self.check((), "audit", "--ssacli", tool)
        self.check((), "doctor", "--ssacli", tool)

    def test_with_an_output_file_that_file_too(self):
        out = self.folder / "machine.capture"
        self.check((str(out),), "capture", "-o", out)
        self.assertTrue(out.exists())
        with self.assertRaises(AssertionError, msg="the check sees a file that nobody named"):
            self.check((), "capture", "-o", out)


if __name__ == "__main__":
    unittest.main()
