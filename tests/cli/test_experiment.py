"""experiment: arms in random interleaved order, with settings changed and put back, stopped, killed and resumed."""
import json
import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM
from test_settings import SettingsTest, drives, machine, settings_of


class ExperimentTest(SettingsTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "runs.db"
        self.target = self.folder / "target.dat"
        self.expect(0, "testfile", "create", self.target, "--size", "16M")

    def make_plan(self, *words, time_s="0.3"):
        self.expect(0, "experiment", "--print-plan", *words, "--target", self.target, "--logical-drive", "0:1", "--time",
                    time_s, "--ramp", "0", "--queue-depth", "4", "-o", "plan.json")
        return json.loads((self.folder / "plan.json").read_text())

    def write_plan(self, plan):
        self.write("plan.json", json.dumps(plan))

    def experiment(self, code, *words, **options):
        return self.expect(code, "experiment", "plan.json", "--ssacli", self.tool, "--store", self.store, *words, **options)

    def runs(self):
        return self.document("list", "--store", self.store, "--format", "json")["runs"]

    def arms_in_order(self):
        runs = sorted(self.runs(), key=lambda run: run["started_at"])
        return [run["name"].split(":")[0] for run in runs]


class Planning(ExperimentTest):
    def test_a_plan_is_what_was_asked_for(self):
        plan = self.make_plan("--arms", "cache,neither", "--blocks", "3", "--disks", "4,8", "--raid", "1+0", "--strip",
                              "256k")
        self.assertEqual(plan["schema"], "raidscope.experiment/1")
        self.assertEqual([arm["name"] for arm in plan["arms"]], ["cache", "neither"])
        self.assertEqual(plan["blocks"], 3)
        self.assertEqual([layout["disk_count"] for layout in plan["layouts"]], [4, 8])
        self.assertIn("--target", plan["run"])

    def test_plans_that_make_no_sense(self):
        good = self.make_plan()
        for change in ({"arms": []}, {"blocks": 0}, {"run": []}, {"arms": good["arms"] * 2},
                       {"arms": [dict(good["arms"][0], smart_path="maybe")]},
                       {"arms": [dict(good["arms"][0], smart_path="on", caching="on")]},
                       {"arms": [dict(good["arms"][0], smartpath="off")]}, {"block": 3}, {"schema": "x"}):
            self.write_plan(dict(good, **change))
            self.experiment(65, "--apply")
        self.write_plan(dict(good, run=good["run"] + ["--no-such-option"]))
        self.experiment(64, "--apply")
        self.write_plan(dict(good, run=good["run"] + ["--dry-run"]))
        self.experiment(64, "--apply")
        self.expect(66, "experiment", "nowhere.json")
        self.expect(64, "experiment")
        self.expect(64, "experiment", "plan.json", "--time", "3")
        self.expect(64, "experiment", "--print-plan", "--arms", "sideways", "--target", self.target)
        self.assertEqual(self.commands(), [])

    def test_settings_need_apply(self):
        self.make_plan()
        self.assertIn("--apply", self.experiment(78).stderr)
        self.assertEqual(self.commands(), [])

    def test_arms_that_change_nothing_need_neither_root_nor_apply(self):
        self.make_plan("--arms", "as-is", "--blocks", "2")
        self.experiment(0)
        self.assertEqual(self.arms_in_order(), ["block 1, as-is", "block 2, as-is"])


class Measuring(ExperimentTest):
    def setUp(self):
        super().setUp()
        self.need_root()
        self.before = self.machine_now()

    def assert_put_back(self):
        self.assertEqual(settings_of(self.machine_now()), settings_of(self.before))
        self.assertFalse(self.journal.exists())

    def test_every_arm_once_a_block_and_each_run_shows_its_own_settings(self):
        self.make_plan("--arms", "cache,smart_path,neither", "--blocks", "2")
        self.experiment(0, "--apply")
        self.assert_put_back()
        names = self.arms_in_order()
        for block in ("1", "2"):
            arms = [name.split(", ")[1] for name in names if name.startswith(f"block {block},")]
            self.assertEqual(sorted(arms), ["cache", "neither", "smart_path"])
        paths = {"cache": "cache", "smart_path": "smart_path", "neither": "neither"}
        for run in self.runs():
            exported = self.document("export", run["run_id"], "--store", self.store, "--format", "json")
            arm = run["name"].split(":")[0].split(", ")[1]
            snapshot = json.dumps(exported)
            self.assertIn(f'"io_path": "{paths[arm]}"', snapshot.replace('":"', '": "'), arm)
        self.assertFalse((self.folder / "plan.json.state").exists())
        decision = self.document("decide", "smart-path", "--store", self.store, "--format", "json")
        points = decision["workloads"][0]["points"]
        self.assertEqual(points[0]["disk_count"], 4)
        self.assertEqual((points[0]["cache"]["n"], points[0]["smart_path"]["n"]), (2, 2))

    def test_the_order_comes_from_the_seed(self):
        orders = set()
        for seed in (1, 2, 3, 4):
            plan = self.make_plan("--arms", "cache,smart_path,neither", "--blocks", "1", time_s="0.1")
            self.write_plan(dict(plan, seed=seed))
            self.store = self.folder / f"runs-{seed}.db"
            self.experiment(0, "--apply")
            orders.add(tuple(self.arms_in_order()))
        self.assertGreater(len(orders), 1)

    def test_a_failed_change_ends_it_and_everything_is_put_back(self):
        self.make_plan("--arms", "cache,smart_path", "--blocks", "2")
        self.set_machine(machine(tool={"fail_on": "ssdsmartpath=disable"}))
        self.before = self.machine_now()
        done = self.experiment(1, "--apply")
        self.assertIn("An internal controller error", done.stderr)
        self.assert_put_back()
        self.set_machine(machine())
        self.experiment(64, "--apply")
        self.experiment(0, "--apply", "--resume")
        self.assertEqual(len(self.runs()), 4)
        self.assert_put_back()

    def start(self, *words, stderr=subprocess.PIPE):
        return subprocess.Popen([PROGRAM, "experiment", "plan.json", "--apply", "--ssacli", str(self.tool), "--store",
                                 str(self.store), *words], cwd=self.folder, env=self.environment,
                                stderr=stderr, stdout=subprocess.DEVNULL, text=True, start_new_session=True)

    def wait_for_runs(self, count):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.store.exists() and len(self.runs()) >= count:
                return
            time.sleep(0.05)
        self.fail(f"no {count} runs")

    def assert_every_visit_counts_once(self, blocks):
        self.assertEqual(sorted({name for name in self.arms_in_order()}),
                         sorted(f"block {block + 1}, {arm}" for block in range(blocks) for arm in ("cache", "smart_path")))
        session = self.runs()[0]["session_id"]
        decided = self.expect(0, "decide", "smart-path", session, "--store", self.store, "--format", "json")
        point = json.loads(decided.stdout)["workloads"][0]["points"][0]
        self.assertEqual((point["cache"]["n"], point["smart_path"]["n"]), (blocks, blocks))
        return session, decided.stderr

    def test_ctrl_c_puts_back_and_resume_goes_on(self):
        self.make_plan("--arms", "cache,smart_path", "--blocks", "3", time_s="2")
        with open(self.folder / "said", "w+", encoding="utf-8") as said:
            process = self.start(stderr=said)
            self.wait_for(lambda: (self.folder / "said").read_text().count("1 point on") == 3)
            time.sleep(0.7)
            os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.wait(60), 130, (self.folder / "said").read_text())
        self.assert_put_back()
        self.experiment(0, "--apply", "--resume")
        self.assert_put_back()
        self.assertEqual(len(self.runs()), 7)
        session, said = self.assert_every_visit_counts_once(3)
        self.assertIn("interrupted and made again", said)
        compared = self.expect(0, "compare", "--by", "smart_path", session, "--store", self.store, "--format", "json")
        self.assertIn("interrupted and made again", compared.stderr)
        self.assertEqual({row["n_a"] for row in json.loads(compared.stdout)["metrics"]}, {3})

    def test_killed_it_is_said_and_resume_goes_on_and_puts_back(self):
        self.make_plan("--arms", "cache,smart_path", "--blocks", "3", time_s="1")
        process = self.start()
        self.wait_for_runs(2)
        process.kill()
        process.communicate()
        self.assertTrue(self.journal.exists())
        self.assertIn("settings restore", self.run_cli("controllers").stderr)
        self.assertIn("not put back", self.expect(78, "settings", "apply", self.write("p", json.dumps(
            {"schema": "raidscope.settings_plan/1", "steps": [], "affects": []})), "--ssacli", self.tool).stderr)
        # As if it had been killed between storing a visit's results and noting that it is done.
        state = json.loads((self.folder / "plan.json.state").read_text())
        for visit in state["visits"]:
            visit["done"] = False
        self.write("plan.json.state", json.dumps(state))
        self.assertIn("measured already", self.experiment(0, "--apply", "--resume").stderr)
        self.assert_put_back()
        self.assertEqual(len(self.runs()), 6)
        self.assert_every_visit_counts_once(3)

    def test_another_plan_is_not_the_one_that_was_begun(self):
        self.make_plan("--arms", "cache,smart_path", "--blocks", "2")
        self.set_machine(machine(tool={"fail_on": "ssdsmartpath=disable"}))
        self.experiment(1, "--apply")
        self.set_machine(machine())
        self.make_plan("--arms", "cache,smart_path", "--blocks", "3")
        self.assertIn("not the one that was begun", self.experiment(78, "--apply", "--resume").stderr)
        self.experiment(66, "--apply", "--resume", "--state", "nowhere")

    def test_a_person_makes_the_drive(self):
        self.make_plan("--arms", "as-is", "--blocks", "1", "--disks", "4,6", "--raid", "1+0")
        done = self.experiment(1)
        self.assertEqual(len(self.runs()), 1)
        self.assertIn("6 disks are asked for, 4 are there", done.stderr)
        self.assertIn("ctrl slot=0 ld 1 delete", done.stderr)
        self.assertIn("destroys logical drive 1", done.stderr)
        self.experiment(1, "--resume")
        state = self.machine_now()
        state["arrays"][0]["drives"] += drives("1I:1:7", "1I:1:8")
        self.set_machine(state)
        self.experiment(0, "--resume")
        self.assertEqual(self.arms_in_order(), ["layout 1, block 1, as-is", "layout 2, block 1, as-is"])


if __name__ == "__main__":
    unittest.main()
