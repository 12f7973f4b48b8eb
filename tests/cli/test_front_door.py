"""The front door: help, versions, wrong usage, output, colour."""
import json
import os
import stat
import subprocess

from pathlib import Path

from support import PROGRAM, CliTest

P420I = """
Smart Array P420i in Slot 0 (Embedded)
   Bus Interface: PCI
   Slot: 0
   Serial Number: 0014380200000A1
   Controller Status: OK
   Firmware Version: 8.32
   Cache Board Present: True
   Cache Status: OK
   Cache Ratio: 10% Read / 90% Write
   Drive Write Cache: Disabled
   Total Cache Size: 1024 MB
   Total Cache Memory Available: 816 MB
   No-Battery Write Cache: Disabled
   Cache Backup Power Source: Capacitors
   Battery/Capacitor Count: 1
   Battery/Capacitor Status: OK

   Array: A
      Interface Type: SAS
      Unused Space: 0  MB
      Status: OK
      HP SSD Smart Path: disable

      Logical Drive: 1
         Size: 279.4 GB
         Fault Tolerance: 1
         Strip Size: 256 KB
         Status: OK
         Caching:  Enabled
         Unique Identifier: 600508B1001C00000000000000000001
         Disk Name: /dev/sda
         LD Acceleration Method: Controller Cache

"""


class FrontDoor(CliTest):
    def test_no_words_is_wrong_usage_and_shows_the_verbs(self):
        done = self.expect(64)
        self.assertEqual(done.stdout, "")
        self.assertIn("probe", done.stderr)

    def test_help_lists_the_verbs_in_the_order_of_use(self):
        text = self.expect(0, "--help").stdout
        places = [text.index(f"\n  {verb} ") for verb in ("probe", "audit", "run", "profile", "list", "show", "report")]
        self.assertEqual(places, sorted(places))

    def test_every_verb_has_help_with_examples_at_its_end(self):
        for line in self.expect(0, "--help").stdout.splitlines():
            if line.startswith("  ") and line[2:3].isalpha():
                verb = line.split()[0]
                if verb in ("probe", "audit", "testfile", "run", "profile", "list", "show", "diff", "report", "presets",
                            "controllers", "schemas", "doctor"):
                    text = self.expect(0, verb, "--help").stdout
                    self.assertIn("\nExamples:\n", text)
                    self.assertEqual(text, self.expect(0, "help", verb).stdout)

    def test_version_names_the_libraries(self):
        text = self.expect(0, "--version").stdout
        for name in ("raidscope", "Boost", "fmt", "nlohmann-json", "SQLite", "liburing"):
            self.assertIn(name, text)

    def test_wrong_verbs_and_options_are_64_and_name_the_word(self):
        self.assertIn("porbe", self.expect(64, "porbe").stderr)
        done = self.expect(64, "probe", "--fromm", "x")
        self.assertIn("--fromm", done.stderr)
        self.assertIn("--from", done.stderr)
        self.expect(64, "run")
        self.expect(64, "run", "--target", "x", "--read-percent", "101")
        self.expect(64, "run", "--target", "x", "--block-size", "4q")
        self.expect(64, "run", "--target", "x", "--time", "-3")
        self.expect(64, "run", "--target", "x", "--queue-depth", "1,,2")
        self.expect(64, "run", "--target", "x", "--preset", "nonesuch")
        self.expect(64, "show")
        self.expect(64, "testfile", "make", "x")
        self.expect(64, "audit", "--explain", "Z99")

    def test_a_forgotten_value_does_not_swallow_the_next_option(self):
        for words in (("profile", "-o", "--dry-run"), ("probe", "-o", "--quiet"), ("list", "--store", "-q")):
            self.assertRegex(self.expect(64, *words).stderr, "in its place|is missing")
        self.assertEqual(list(self.folder.glob("*")), [])

    def test_control_sequences_of_an_input_do_not_reach_a_terminal(self):
        text = P420I.replace("   Array: A", "\033[2J\033]0;pwned\007 what is this\n\xc2\x9b31m\n   Array: A")
        done = self.run_cli("probe", "--from", "-", stdin=text)
        for stream in (done.stdout, done.stderr):
            self.assertNotRegex(stream, "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]")

    def test_what_an_audit_is_given_is_checked(self):
        self.assertIn("is not there", self.expect(66, "audit", "--target", "nosuch").stderr)
        self.expect(64, "audit", "--block-size", "zz")
        self.expect(64, "audit", "--read-percent", "101")
        self.assertTrue(self.expect(0, "audit", "--explain", "c09").stdout.startswith("C09"))

    def test_a_stray_file_in_a_folder_is_left_out_and_named(self):
        (self.folder / "machine").mkdir()
        self.write("machine/p420i.txt", P420I)
        (self.folder / "machine" / "picture.png").write_bytes(bytes(range(256)) * 40)
        done = self.expect(0, "probe", "--from", "machine", "--format", "json")
        inventory = json.loads(done.stdout)
        self.assertEqual(len(inventory["controllers"]), 1)
        self.assertIn("picture.png", " ".join(note["text"] for note in inventory["notes"]))
        self.assertIn("picture.png", done.stderr)

    def test_a_message_says_what_to_do_next(self):
        broken = self.write("broken.json", '{"schema": "raidscope.inventory/1",')
        self.assertIn("cut off", self.expect(65, "probe", "--from", broken).stderr)
        self.assertIn("folder that holds", self.expect(66, "probe", "--sysroot", "nosuch").stderr)
        self.assertIn("raidscope VERB -q", self.expect(64, "-q", "probe").stderr)
        self.expect(64, "list", "-o", "")
        program = self.write("program", "\x7fELF")
        program.chmod(0o755)
        self.assertIn("--ssacli", self.expect(1, "probe", "--ssacli", program).stderr)
        none = self.write("none", '#!/bin/sh\necho; echo "Error: No controllers detected."; exit 1\n')
        none.chmod(0o755)
        if not any(Path("/sys/class/scsi_host").glob("*")):
            self.expect(0, "probe", "--ssacli", none)
        self.expect(64, "run", "--target", "x", "--time", "9000h")
        self.expect(64, "run", "--target", "x", "--name", "two\nlines")

    def test_a_tool_that_failed_is_no_machine_without_a_controller(self):
        for name, script in (("died", "kill -9 $$"), ("garbage", "echo lorem ipsum"), ("root", "echo You must be root; exit 1")):
            tool = self.write(name, f"#!/bin/sh\n{script}\n")
            tool.chmod(0o755)
            for only in ((), ("--only", "ssacli")):
                text = self.expect(1, "probe", "--ssacli", tool, *only).stdout
                self.assertIn("Smart Array controller is unknown: ssacli failed", text, name)
                self.assertNotIn("No Smart Array controller found", text)
        self.assertTrue(text.startswith("Host not asked"), text)

    def test_explain_says_who_said_what(self):
        capture = self.write("p420i.txt", P420I)
        text = self.expect(0, "probe", "--from", capture, "--explain", "firmware").stdout
        self.assertRegex(text, r"/controllers/0/firmware: \"\S+\"\n  file ")
        document = self.document("probe", "--from", capture, "--explain", "cache.ratio", "--format", "json")
        for fact in document["facts"]:
            self.assertTrue(fact["fact"].startswith("/controllers/0/cache/ratio"))
        unknown = self.document("probe", "--from", capture, "--explain", "io_path", "--format", "json")["facts"]
        self.assertIn("follows from other facts", unknown[0]["why"])
        self.expect(64, "probe", "--from", capture, "--explain", "nosuch")

    def test_nagios_says_what_its_exit_code_says(self):
        capture = self.write("p420i.txt", P420I)
        for severity in ("info", "warning", "error", "block"):
            done = self.run_cli("audit", "--from", capture, "--format", "nagios", "--fail-on", severity)
            self.assertTrue(done.stdout.startswith(("OK", "WARNING", "CRITICAL", "UNKNOWN")[done.returncode]), done.stdout[:60])

    def test_doctor_says_what_each_lack_costs(self):
        checks = {check["id"]: check for check in self.document("doctor", "--format", "json")["checks"]}
        self.assertEqual(checks["engine_psync"]["health"], "ok")
        for check in checks.values():
            self.assertEqual(check["health"] in ("limited", "missing"), check["costs"] is not None, check)
        text = self.expect(0, "doctor").stdout
        self.assertIn("privilege", text)
        self.expect(66, "doctor", "--sysroot", "nosuch")

    def test_json_is_json_everywhere(self):
        self.assertEqual(self.document("audit", "--explain", "C09", "--format", "json")["rules"][0]["rule"], "C09")

    def test_output_file_is_whole_or_not_at_all(self):
        capture = self.write("p420i.txt", P420I)
        out = self.folder / "inventory.json"
        done = self.expect(0, "probe", "--from", capture, "--format", "json", "-o", out)
        self.assertEqual(done.stdout, "")
        self.assertIn("raidscope.snapshot/1", out.read_text())
        before = out.read_text()
        self.expect(66, "probe", "--from", self.folder / "missing.txt", "--format", "json", "-o", out)
        self.assertEqual(out.read_text(), before)
        self.expect(73, "probe", "--from", capture, "-o", self.folder / "no" / "such" / "folder")
        self.assertEqual([p.name for p in self.folder.iterdir() if ".tmp" in p.name], [])

    def test_output_that_cannot_be_written_is_73(self):
        capture = self.write("p420i.txt", P420I)
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "probe", "--from", str(capture)], stdout=full, stderr=subprocess.PIPE, text=True,
                                  env=self.environment)
        self.assertEqual(done.returncode, 73)
        self.assertIn("No space left", done.stderr)

    def test_a_reader_that_goes_away_is_no_crash(self):
        capture = self.write("p420i.txt", P420I)
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as gone:
            done = subprocess.run([PROGRAM, "probe", "--from", str(capture)], stdout=gone, stderr=subprocess.PIPE, env=self.environment)
        self.assertEqual(done.returncode, 73)

    def test_colour_only_on_a_terminal_and_never_with_no_color(self):
        capture = self.write("p420i.txt", P420I)
        self.assertNotIn("\033[", self.expect(0, "probe", "--from", capture).stdout)
        code, text = self.in_terminal("probe", "--from", capture)
        self.assertEqual(code, 0)
        self.assertIn("\033[", text)
        os.environ["NO_COLOR"] = "1"
        self.environment["NO_COLOR"] = "1"
        try:
            done = subprocess.run(["script", "-qec", f"{PROGRAM} probe --from {capture}", "/dev/null"], capture_output=True, text=True,
                                  env=dict(self.environment, NO_COLOR="1", TERM="xterm"))
            self.assertNotIn("\033[", done.stdout)
        finally:
            del os.environ["NO_COLOR"]

    def test_man_page_and_completion_name_every_option(self):
        man, bash = self.expect(0, "--generate-man").stdout, self.expect(0, "--generate-bash").stdout
        for option in ("from", "target", "destroy-data", "queue-depth"):
            self.assertIn(option.replace("-", "\\-"), man)
            self.assertIn(f"--{option}", bash)
        checked = subprocess.run(["bash", "-n"], input=bash, text=True, capture_output=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        words = subprocess.run(["bash", "-c", f"{bash}\nCOMP_WORDS=(raidscope probe --fo); COMP_CWORD=2; _raidscope; echo ${{COMPREPLY[@]}}"],
                               text=True, capture_output=True).stdout
        self.assertIn("--format", words)


class Inputs(CliTest):
    def test_missing_empty_and_foreign_inputs(self):
        self.assertIn("missing.txt", self.expect(66, "probe", "--from", "missing.txt").stderr)
        empty = self.write("empty.txt", "\n \n")
        self.assertIn("empty.txt", self.expect(65, "probe", "--from", empty).stderr)
        foreign = self.write("foreign.txt", "The quick brown fox\njumps over the lazy dog.\n")
        self.assertIn("foreign.txt", self.expect(65, "probe", "--from", foreign).stderr)
        broken = self.write("broken.json", '{"schema": "raidscope.snapshot/1", "controllers": [{"name": 7}]}')
        self.assertIn("/controllers/0/name", self.expect(65, "probe", "--from", broken).stderr)
        self.expect(65, "probe", "--from", self.write("half.json", '{"schema": '))
        self.expect(65, "probe", "--from", "-", stdin="")

    def test_unreadable_input_is_66(self):
        if os.geteuid() == 0:
            self.expect(66, "probe", "--from", "/proc/self/mem")
            return
        path = self.write("secret.txt", P420I)
        path.chmod(0)
        self.expect(66, "probe", "--from", path)

    def test_standard_input_a_folder_and_a_snapshot_give_the_same_inventory(self):
        capture = self.write("p420i.txt", P420I)
        folder = self.folder / "machine"
        folder.mkdir()
        (folder / "config.txt").write_text(P420I)
        direct = self.document("probe", "--from", capture, "--format", "json")
        piped = self.document("probe", "--from", "-", "--format", "json", stdin=P420I)
        foldered = self.document("probe", "--from", folder, "--format", "json")
        snapshot = self.write("snapshot.json", self.expect(0, "probe", "--from", capture, "--format", "json").stdout)
        again = self.document("probe", "--from", snapshot, "--format", "json")
        for other in (piped, foldered, again):
            self.assertEqual(other["controllers"], direct["controllers"])
        self.assertEqual(direct["sources"][0]["path"], "file")
        self.assertIsNone(direct["host"]["hostname"])
        self.assertEqual(direct["block_devices"], [])

    def test_what_follows_from_other_facts_is_not_taken_from_an_edited_snapshot(self):
        snapshot = json.loads(self.expect(0, "probe", "--from", "-", "--format", "json", stdin=P420I).stdout)
        drive = snapshot["controllers"][0]["arrays"][0]["logical_drives"][0]
        self.assertEqual(drive["effective_write_cache"], "protected")
        snapshot["controllers"][0]["cache"]["ratio"] = {"read": 100, "write": 0}
        again = json.loads(self.expect(0, "probe", "--from", "-", "--format", "json", stdin=json.dumps(snapshot)).stdout)
        changed = again["controllers"][0]["arrays"][0]["logical_drives"][0]
        self.assertEqual(changed["effective_write_cache"], "none")
        self.assertNotEqual(changed["fingerprint"], drive["fingerprint"])
        self.assertNotEqual(changed["tag"], drive["tag"])

    def test_an_audit_without_a_controller_says_why(self):
        done = self.expect(3, "audit", "--from", "-", "--format", "nagios",
                           stdin='{"schema": "raidscope.snapshot/1"}')
        self.assertIn("not known: a controller: the inventory holds none", done.stdout)
        done = self.expect(3, "audit", "--from", "-", stdin="\nError: No controllers detected.\n\n")
        self.assertIn("none was found (file: Error: No controllers detected.)", " ".join(done.stdout.split()))

    def test_several_from_give_one_document_a_line(self):
        capture = self.write("p420i.txt", P420I)
        lines = self.expect(0, "probe", "--from", capture, "--from", capture, "--format", "json").stdout.splitlines()
        self.assertEqual(len(lines), 2)

    def test_no_controllers_is_an_answer(self):
        text = "\nError: No controllers detected. Possible causes:\n"
        document = self.document("probe", "--from", "-", "--format", "json", stdin=text)
        self.assertEqual(document["controllers"], [])
        self.expect(3, "audit", "--from", "-", stdin=text)

    def test_the_facts_of_a_common_controller(self):
        c = self.document("probe", "--from", "-", "--format", "json", stdin=P420I)["controllers"][0]
        self.assertEqual((c["model"], c["slot"], c["generation"], c["embedded"]), ("P420i", "0", "Gen8", True))
        self.assertEqual(c["cache"]["ratio"], {"read": 10, "write": 90})
        self.assertEqual(c["cache"]["size_bytes"], 1 << 30)
        drive = c["arrays"][0]["logical_drives"][0]
        self.assertEqual((drive["raid"], drive["strip_bytes"], drive["effective_write_cache"], drive["io_path"]),
                         ("1", 262144, "protected", "cache"))
        self.assertIn("cache on (protected)", drive["tag"])


class Audit(CliTest):
    def test_codes_and_formats(self):
        fine = self.write("p420i.txt", P420I)
        trap = self.write("trap.txt", P420I.replace("Caching:  Enabled", "Caching:  Disabled")
                          .replace("Method: Controller Cache", "Method: All disabled"))
        self.expect(2, "audit", "--from", trap)
        report = self.document("audit", "--from", trap, "--format", "json", code=2)
        finding = next(f for f in report["findings"] if f["rule"] == "C09")
        self.assertEqual(finding["subject"]["logical_drive"], 1)
        self.assertIn("ctrl slot=0 ld 1 modify caching=enable", " ".join(finding["fix"]))
        self.expect(0, "audit", "--from", trap, "--fail-on", "block")
        nagios = self.expect(2, "audit", "--from", trap, "--format", "nagios").stdout
        self.assertTrue(nagios.startswith("CRITICAL"), nagios)
        gone = self.expect(3, "audit", "--from", self.folder / "missing", "--format", "nagios").stdout
        self.assertTrue(gone.startswith("UNKNOWN"), gone)
        unknown = self.expect(3, "audit", "--format", "nagios", "--nonsense").stdout
        self.assertTrue(unknown.startswith("UNKNOWN"), unknown)
        self.assertNotIn("C09", self.run_cli("audit", "--from", fine).stdout.split("Not evaluated")[0])
        ignored = self.run_cli("audit", "--from", trap, "--ignore", "C09", "--format", "json").stdout
        self.assertNotIn('"C09"', ignored)

    def test_list_and_explain(self):
        text = self.expect(0, "audit", "--list-rules").stdout
        for rule in ("C01", "C09", "C22", "S01", "S12", "T01", "T19"):
            self.assertIn(rule, text)
        self.assertIn("Smart Path", self.expect(0, "audit", "--explain", "C09").stdout)


if __name__ == "__main__":
    import unittest
    unittest.main()
