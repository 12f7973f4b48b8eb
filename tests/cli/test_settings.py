"""settings: plan, apply, put back, against the vendor tool's stand-in, with failures, stops and kills."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from support import PROGRAM, ROOT, CliTest

KILLS = int(os.environ.get("RAIDSCOPE_KILLS", "100"))


def drives(*bays):
    return [{"bay": bay, "size": "900 GB"} for bay in bays]


def volume(number, name, caching):
    return {"number": number, "raid": "1+0", "size": "838 GiB", "unique_id": f"600508B1001C00000000000000000{name:0>3}",
            "caching": caching}


def machine(tool=None, backup="ok", ratio=(10, 90), **changes):
    """A machine description as docs/lab.md has it."""
    state = {
        "model": "P420i", "slot": "0", "serial": "001438STANDIN0", "surface_scan_mode": "Idle", "tool": tool or {},
        "cache": {"size": "2 GiB", "ratio": {"read": ratio[0], "write": ratio[1]}, "backup": {"status": backup}},
        "arrays": [
            {"letter": "A", "smart_path": True, "drives": drives("1I:1:1", "1I:1:2", "1I:1:3", "1I:1:4"),
             "logical_drives": [volume(1, "A1", False), volume(2, "A2", False)]},
            {"letter": "B", "smart_path": False, "drives": drives("1I:1:5", "1I:1:6"),
             "logical_drives": [volume(3, "B3", True)]}]}
    state.update(changes)
    return state


def settings_of(state):
    """What the tool can change of a description."""
    return {"surface_scan_mode": state["surface_scan_mode"], "ratio": state["cache"]["ratio"],
            "arrays": [(array["smart_path"], [drive["caching"] for drive in array["logical_drives"]]) for array in state["arrays"]]}


class SettingsTest(CliTest):
    def setUp(self):
        super().setUp()
        self.tool = self.folder / "ssacli"
        # A link: a copy of a sanitized program is large, and it finds its state by the name it was called by.
        self.tool.symlink_to(os.environ["RAIDSCOPE_STANDIN"])
        self.journal = self.folder / "state" / "settings-journal.json"
        self.set_machine(machine())

    def set_machine(self, state):
        (self.folder / "ssacli.state").write_text(json.dumps(state))

    def machine_now(self):
        return json.loads((self.folder / "ssacli.state").read_text())

    def commands(self):
        log = self.folder / "ssacli.state.log"
        return log.read_text().splitlines() if log.exists() else []

    def settings(self, code, *words, **options):
        return self.expect(code, "settings", *words, "--ssacli", self.tool, **options)

    def plan(self, *wish):
        self.settings(0, "plan", *wish, "-o", "plan.json")
        return json.loads((self.folder / "plan.json").read_text())

    def need_root(self):
        if os.geteuid() != 0:
            self.skipTest("settings are changed by root")


class Planning(SettingsTest):
    def test_show_tells_every_setting_and_changes_nothing(self):
        shown = json.loads(self.settings(0, "show", "--format", "json").stdout)
        self.assertEqual(shown["schema"], "raidscope.settings/1")
        self.assertIsNone(shown["journal"])
        values = {(s["kind"], s["volume"]): s["value"] for s in shown["settings"]}
        self.assertEqual(values["smart_path", "600508B1001C000000000000000000A1"], "enable")
        self.assertEqual(values["caching", "600508B1001C000000000000000000B3"], "enable")
        self.assertEqual(values["cache_ratio", None], "10/90")
        self.assertEqual(values["surface_scan_mode", None], "idle")
        self.assertEqual(self.commands(), [])

    def test_commands_come_in_the_order_in_which_the_tool_takes_them(self):
        plan = self.plan("--caching", "on", "--logical-drive", "0:1", "--cache-ratio", "0/100", "--surface-scan",
                         "disable")
        self.assertEqual([step["command"].split(" ", 2)[2] for step in plan["steps"]],
                         ["slot=0 array A modify ssdsmartpath=disable forced", "slot=0 ld 1 modify caching=enable forced",
                          "slot=0 modify cacheratio=0/100 forced", "slot=0 modify surfacescanmode=disable forced"])
        self.assertTrue(any("logical drives 1, 2" in line for line in plan["affects"]))

    def test_smart_path_takes_the_cache_away_first(self):
        plan = self.plan("--smart-path", "on")
        self.assertEqual([step["command"].split(" ", 3)[3] for step in plan["steps"]],
                         ["ld 3 modify caching=disable forced", "array B modify ssdsmartpath=enable forced"])

    def test_what_is_so_already_needs_no_step(self):
        self.assertEqual(self.plan("--smart-path", "on", "--logical-drive", "0:1")["steps"], [])

    def test_caching_needs_a_battery_that_works(self):
        self.set_machine(machine(backup="failed"))
        done = self.settings(78, "plan", "--caching", "on")
        self.assertIn("C12", done.stderr)
        self.set_machine(machine(backup="recharging"))
        self.assertIn("C13", self.settings(78, "plan", "--caching", "on").stderr)

    def test_caching_needs_a_cache(self):
        for capture in ("h240-smart-path-degraded", "p410i-no-cache-module"):
            done = self.expect(78, "settings", "plan", "--caching", "on", "--from",
                               ROOT / "tests" / "captures" / capture / "capture.txt")
            self.assertIn("C01", done.stderr)

    def test_a_ratio_that_is_not_told_could_not_be_put_back(self):
        state = machine()
        state["arrays"][1]["logical_drives"][0]["caching"] = False
        self.set_machine(state)
        self.assertIn("could not be put back", self.settings(78, "plan", "--cache-ratio", "0/100").stderr)

    def test_wishes_that_make_no_sense(self):
        self.settings(64, "plan")
        self.settings(64, "plan", "--caching", "on", "--smart-path", "on")
        self.settings(64, "plan", "--cache-ratio", "10/80")
        self.settings(64, "plan", "--cache-ratio", "10")
        self.settings(64, "plan", "--slot", "7", "--caching", "off")
        self.settings(64, "plan", "--logical-drive", "0:9", "--caching", "off")
        self.settings(64, "plan", "--logical-drive", "x", "--caching", "off")
        self.settings(64, "undo")
        self.settings(64, "apply")

    def test_the_oldest_tool_has_no_smart_path(self):
        state = machine(tool={"dialect": "hpacucli"}, model="P410i")
        for array in state["arrays"]:
            array["smart_path"] = None
        self.set_machine(state)
        self.assertEqual(len(self.plan("--caching", "on")["steps"]), 2)
        self.assertIn("Smart Path setting is not told", self.settings(78, "plan", "--smart-path", "on").stderr)

    def test_applying_needs_root(self):
        if os.geteuid() == 0:
            os.chmod(self.folder, 0o755)
            self.plan("--caching", "off")
            done = subprocess.run([PROGRAM, "settings", "apply", "plan.json", "--ssacli", str(self.tool)],
                                  cwd=self.folder, capture_output=True, text=True, timeout=60, env=self.environment,
                                  user=65534, check=False)
        else:
            self.plan("--caching", "off")
            done = self.run_cli("settings", "apply", "plan.json", "--ssacli", self.tool)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("sudo raidscope settings apply", done.stderr)
        self.assertEqual(self.commands(), [])


class Applying(SettingsTest):
    def setUp(self):
        super().setUp()
        self.need_root()
        self.before = self.machine_now()

    def assert_as_before(self):
        self.assertEqual(settings_of(self.machine_now()), settings_of(self.before))

    def test_there_and_back(self):
        self.plan("--caching", "on", "--cache-ratio", "0/100", "--surface-scan", "disable")
        self.settings(0, "apply", "plan.json")
        now = self.machine_now()
        self.assertEqual(now["cache"]["ratio"], {"read": 0, "write": 100})
        self.assertEqual([a["smart_path"] for a in now["arrays"]], [False, False])
        self.assertTrue(all(d["caching"] for a in now["arrays"] for d in a["logical_drives"]))
        self.assertTrue(self.journal.exists())
        shown = self.settings(0, "show")
        self.assertIn("was 10/90", shown.stdout)
        self.settings(0, "restore")
        self.assert_as_before()
        self.assertFalse(self.journal.exists())
        self.assertIn(f"no journal is open at {self.journal}", self.settings(0, "restore").stderr)

    def test_the_ratio_comes_back_though_it_was_not_told_meanwhile(self):
        state = machine(ratio=(25, 75))
        state["arrays"] = state["arrays"][1:]
        self.set_machine(state)
        self.before = state
        self.plan("--smart-path", "on")
        self.settings(0, "apply", "plan.json")
        self.settings(0, "restore")
        self.assert_as_before()

    def test_smart_path_off_may_turn_caching_on_by_itself(self):
        self.set_machine(machine(tool={"off_turns_caching_on": True}))
        self.plan("--smart-path", "off")
        self.settings(0, "apply", "plan.json")
        self.assertTrue(self.machine_now()["arrays"][0]["logical_drives"][0]["caching"])
        self.settings(0, "restore")
        self.assert_as_before()

    def test_every_verb_says_that_a_journal_is_open(self):
        self.plan("--caching", "off")
        self.settings(0, "apply", "plan.json")
        for verb in (["controllers"], ["presets"], ["schemas"], ["list"]):
            self.assertIn("raidscope settings restore", self.expect(0, *verb).stderr, verb)
        self.settings(0, "restore")
        self.assertNotIn("settings restore", self.expect(0, "controllers").stderr)

    def test_every_verb_knows_a_journal_that_is_kept_elsewhere(self):
        journal = self.folder / "elsewhere" / "a journal.json"
        typed = f"settings restore --journal '{journal}'"
        self.plan("--surface-scan", "disable")
        self.settings(0, "apply", "plan.json", "--journal", journal)
        for verb in (["controllers"], ["schemas"], ["list"]):
            self.assertIn(typed, self.expect(0, *verb).stderr, verb)
        self.assertIsNotNone(json.loads(self.settings(0, "show", "--format", "json").stdout)["journal"])
        # Wherever another one would be kept, nothing further is changed.
        for words in ([], ["--journal", self.folder / "another.json"]):
            self.assertIn(typed, self.settings(78, "apply", "plan.json", *words).stderr)
        away = journal.rename(self.folder / "away")
        self.assertIn("mount its file system", self.expect(0, "controllers").stderr)
        self.settings(78, "apply", "plan.json")
        self.assertIn("mount its file system", self.settings(0, "restore").stderr)
        away.rename(journal)
        self.settings(0, "restore")
        self.assert_as_before()
        self.assertNotIn("settings restore", self.expect(0, "controllers").stderr)
        self.assertEqual(list((self.folder / "state" / "open-journals").iterdir()), [])

    def test_one_at_a_time_whatever_their_journals(self):
        self.plan("--surface-scan", "disable")
        self.set_machine(machine(tool={"before_ms": 1500}))
        process = subprocess.Popen([PROGRAM, "settings", "apply", "plan.json", "--ssacli", str(self.tool)],
                                   cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, text=True)
        self.wait_for(self.journal.exists)
        refused = self.settings(69, "apply", "plan.json", "--journal", self.folder / "another.json")
        self.assertFalse((self.folder / "another.json").exists(), refused.stderr)
        self.assertEqual(process.wait(60), 0)
        process.stderr.close()
        self.settings(0, "restore")

    def test_a_second_plan_waits_for_the_first_to_be_put_back(self):
        self.plan("--caching", "off")
        self.settings(0, "apply", "plan.json")
        self.assertIn("not put back yet", self.settings(78, "apply", "plan.json").stderr)

    def test_a_failure_puts_everything_back(self):
        self.plan("--caching", "on", "--cache-ratio", "0/100")
        self.set_machine(machine(tool={"fail_on": "cacheratio=0/100"}))
        done = self.settings(1, "apply", "plan.json")
        self.assertIn("An internal controller error occurred", done.stderr)
        self.assert_as_before()
        self.assertFalse(self.journal.exists())

    def test_a_change_that_does_not_take_is_no_change(self):
        self.plan("--surface-scan", "high")
        self.set_machine(machine(tool={"ignore": "surfacescanmode=high"}))
        done = self.settings(1, "apply", "plan.json")
        self.assertIn("surface_scan_mode is idle and not high", done.stderr)
        self.assert_as_before()

    def test_a_machine_that_has_moved_since_the_plan(self):
        self.plan("--surface-scan", "disable")
        self.set_machine(machine(surface_scan_mode="High"))
        done = self.settings(78, "apply", "plan.json")
        self.assertIn("was idle when the plan was made and is high now", done.stderr)
        self.assertEqual(self.commands(), [])

    def test_what_somebody_else_changed_is_left_alone(self):
        self.plan("--surface-scan", "disable")
        self.settings(0, "apply", "plan.json")
        self.set_machine(machine(surface_scan_mode="High"))
        done = self.settings(78, "restore")
        self.assertIn("surface_scan_mode is high now; it was idle, and we made it disable", done.stderr)
        self.assertEqual(self.machine_now()["surface_scan_mode"], "High")
        self.assertTrue(self.journal.exists())

    def test_slots_and_letters_may_move(self):
        self.plan("--smart-path", "off")
        self.settings(0, "apply", "plan.json")
        state = self.machine_now()
        state["slot"] = "3"
        state["arrays"][0]["letter"] = "C"
        state["arrays"][0]["logical_drives"][0]["number"] = 7
        self.set_machine(state)
        self.settings(0, "restore")
        self.assertTrue(self.machine_now()["arrays"][0]["smart_path"])
        self.assertEqual(self.commands()[-1], "ctrl slot=3 array C modify ssdsmartpath=enable forced")

    def test_another_controller_is_not_touched(self):
        self.plan("--surface-scan", "disable")
        self.set_machine(machine(serial="001438SOMEBODY"))
        self.assertIn("not there any more", self.settings(78, "apply", "plan.json").stderr)
        self.assertEqual(self.commands(), [])

    def test_a_plan_that_was_tampered_with(self):
        plan = self.plan("--surface-scan", "disable")
        for value in ("enable", "disable forced", "x", ""):
            plan["steps"][0]["to"] = value
            self.write("plan.json", json.dumps(plan))
            self.settings(65, "apply", "plan.json")
        plan["steps"][0].update(kind="drive_write_cache", to="disable")
        self.write("plan.json", json.dumps(plan))
        self.settings(65, "apply", "plan.json")
        self.write("plan.json", "{}")
        self.settings(65, "apply", "plan.json")
        self.settings(66, "apply", "nowhere.json")
        self.assertEqual(self.commands(), [])

    def test_a_plan_says_everything_and_nothing_else(self):
        plan = self.plan("--surface-scan", "disable")
        for change in ({"too": "high"}, {"from": None}):
            step = {key: value for key, value in {**plan["steps"][0], **change}.items() if value is not None}
            self.write("other.json", json.dumps({**plan, "steps": [step]}))
            self.assertIn("/steps/0/" + next(iter(change)), self.settings(65, "apply", "other.json").stderr)
        self.write("other.json", json.dumps({**plan, "steps": []}))
        self.assertIn("no steps", self.settings(0, "apply", "other.json").stderr)
        self.assertFalse(self.journal.exists())
        plan["steps"][0]["command"] = "ssacli ctrl all delete forced"
        self.write("other.json", json.dumps(plan))
        said = self.settings(0, "apply", "other.json").stderr
        self.assertNotIn("delete", said)
        self.assertIn("ssacli ctrl slot=0 modify surfacescanmode=disable forced", said)

    def test_a_tool_that_cannot_be_asked_has_not_told_that_anything_is_gone(self):
        self.plan("--surface-scan", "disable")
        self.settings(0, "apply", "plan.json")
        for body in ("sleep 60", "exit 3"):
            broken = self.write("broken-ssacli", "#!/bin/sh\n" + body + "\n")
            broken.chmod(0o755)
            for words in (("restore",), ("apply", "plan.json")):
                done = self.run_cli("settings", *words, "--ssacli", broken, "--tool-timeout", "1")
                self.assertEqual(done.returncode, 69 if words[0] == "restore" else 78, done.stderr)
                self.assertNotIn("somebody else", done.stderr)
                self.assertNotIn("remove", done.stderr)
            self.assertTrue(self.journal.exists())
        self.settings(0, "restore")
        self.assert_as_before()

    def test_what_is_to_be_typed_names_the_journal(self):
        journal = self.folder / "a journal.json"
        self.plan("--surface-scan", "disable")
        typed = f"settings restore --journal '{journal}'"
        self.assertIn(typed, self.settings(0, "apply", "plan.json", "--journal", "a journal.json").stderr)
        self.assertIn(typed, " ".join(self.settings(0, "show", "--journal", journal).stdout.split()))
        self.assertIn(typed, self.settings(78, "apply", "plan.json", "--journal", journal).stderr)
        self.settings(0, "restore", "--journal", journal)
        self.assert_as_before()

    def test_a_change_that_hangs_is_waited_for_and_said(self):
        self.plan("--surface-scan", "disable")
        self.set_machine(machine(tool={"hang_on": "surfacescanmode=disable"}))
        with open(self.folder / "said", "w+", encoding="utf-8") as said:
            process = subprocess.Popen([PROGRAM, "settings", "apply", "plan.json", "--ssacli", str(self.tool)],
                                       cwd=self.folder, env=self.environment, stderr=said)
            self.addCleanup(process.kill)
            self.wait_for(lambda: "surfacescanmode=disable" in (self.folder / "said").read_text())
            process.send_signal(signal.SIGTERM)
            self.wait_for(lambda: "is not killed" in (self.folder / "said").read_text())
            self.assertIsNone(process.poll())
            text = (self.folder / "said").read_text()
            os.kill(int(text.split("process ")[1].split(")")[0]), signal.SIGKILL)
            self.assertEqual(process.wait(30), 143, (self.folder / "said").read_text())
        self.assert_as_before()

    def test_a_journal_that_cannot_be_read_is_left_alone(self):
        self.journal.parent.mkdir()
        self.journal.write_text("{ half of it")
        self.plan("--surface-scan", "disable")
        self.settings(65, "apply", "plan.json")
        self.settings(65, "restore")
        self.assertEqual(self.journal.read_text(), "{ half of it")
        self.assertEqual(self.commands(), [])

    def test_nothing_is_changed_where_no_journal_can_be_written(self):
        self.plan("--surface-scan", "disable")
        full = pathlib.Path("/dev/full")
        self.settings(73, "apply", "plan.json", "--journal", full / "journal.json")
        self.assertEqual(self.commands(), [])

    def test_ctrl_c_waits_for_the_change_in_flight_and_puts_back(self):
        self.plan("--caching", "on", "--cache-ratio", "0/100", "--surface-scan", "disable")
        for number in (signal.SIGINT, signal.SIGTERM):
            self.set_machine(machine(tool={"before_ms": 300, "after_ms": 300}))
            process = subprocess.Popen([PROGRAM, "settings", "apply", "plan.json", "--ssacli", str(self.tool)],
                                       cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, text=True,
                                       start_new_session=True)
            end = time.monotonic() + 30
            while not self.journal.exists() and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(0.2)
            os.killpg(process.pid, number)
            _, words = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number, words)
            self.assert_as_before()
            self.assertFalse(self.journal.exists(), words)


class Killing(SettingsTest):
    def test_killed_at_any_moment_everything_can_be_put_back(self):
        """At seeded moments of apply and of restore; the stand-in goes on alone, as the real tool would."""
        self.need_root()
        self.plan("--caching", "on", "--cache-ratio", "0/100", "--surface-scan", "disable")
        quick = machine(tool={"start_ms": 3, "before_ms": 8, "after_ms": 8})
        self.set_machine(quick)
        began = time.monotonic()
        self.settings(0, "apply", "plan.json")
        whole = time.monotonic() - began
        self.settings(0, "restore")
        moments = random.Random(1)
        killed_in_the_middle = 0
        for trial in range(KILLS):
            self.set_machine(quick)
            words = ["apply", "plan.json"] if trial % 3 else ["restore"]
            if trial % 3 == 0:
                self.settings(0, "apply", "plan.json")
            process = subprocess.Popen([PROGRAM, "settings", *words, "--ssacli", str(self.tool)], cwd=self.folder,
                                       env=self.environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, whole))
            process.kill()
            process.wait()
            killed_in_the_middle += process.returncode != 0
            if self.journal.exists() and trial % 5 == 0:
                self.assertIn("settings restore", self.run_cli("controllers").stderr)
            self.settings(0, "restore")
            self.assertEqual(settings_of(self.machine_now()), settings_of(quick), f"trial {trial}")
            self.assertFalse(self.journal.exists(), f"trial {trial}")
        # Most are, but how long a change takes is the machine's affair.
        self.assertGreater(killed_in_the_middle, KILLS // 10)


if __name__ == "__main__":
    unittest.main()
