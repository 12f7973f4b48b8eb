"""What the command line tests share: running the program in a pipe, in a pseudo terminal, and below a store of
its own."""
import json
import os
import pathlib
import pty
import select
import subprocess
import tempfile
import time
import unittest

import documents

PROGRAM = os.environ["RAIDSCOPE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


class CliTest(unittest.TestCase):
    """Each test has a folder of its own, which is also where its store lies."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="raidscope-test-", dir=os.environ.get("RAIDSCOPE_TEST_DIR"))
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)
        self.environment = dict(os.environ, XDG_DATA_HOME=str(self.folder / "data"), NO_COLOR="", HOME=str(self.folder),
                                RAIDSCOPE_STATE=str(self.folder / "state"))

    def run_cli(self, *words, stdin=None, environment=None, timeout=120, cwd=None):
        done = subprocess.run([PROGRAM, *map(str, words)], input=stdin, capture_output=True, text=True, timeout=timeout,
                              env=dict(self.environment, **(environment or {})), cwd=cwd or self.folder)
        # Every document that any test has printed is one that its schema allows.
        self.assertEqual(documents.faults(done.stdout)[:5], [], words)
        return done

    def expect(self, code, *words, **options):
        done = self.run_cli(*words, **options)
        self.assertEqual(done.returncode, code, f"{words}\nstdout: {done.stdout[-2000:]}\nstderr: {done.stderr[-2000:]}")
        return done

    def wait_for(self, happened, seconds=60):
        """Until a thing has happened; a machine may be slow, and how long it takes is not what is tested."""
        end = time.monotonic() + seconds
        while not happened():
            self.assertLess(time.monotonic(), end, "it did not happen")
            time.sleep(0.01)

    def document(self, *words, code=0, **options):
        return json.loads(self.expect(code, *words, **options).stdout)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
        return path

    def in_terminal(self, *words, timeout=60, send_after=None, send=b""):
        """Runs in a pseudo terminal; gives (exit code, everything printed)."""
        pid, master = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            environment = dict(self.environment, TERM="xterm")
            environment.pop("NO_COLOR", None)
            os.execve(PROGRAM, [PROGRAM, *map(str, words)], environment)
        out, end, began, sent = b"", time.monotonic() + timeout, time.monotonic(), False
        while time.monotonic() < end:
            ready, _, _ = select.select([master], [], [], 0.2)
            if send_after is not None and not sent and time.monotonic() - began > send_after:
                os.write(master, send)
                sent = True
            if ready:
                try:
                    piece = os.read(master, 65536)
                except OSError:
                    break
                if not piece:
                    break
                out += piece
        _, status = os.waitpid(pid, 0)
        os.close(master)
        return os.waitstatus_to_exitcode(status), out.decode(errors="replace")
