"""Captures: made here, replayed to the same document, cut, redacted, and made by the shell script."""
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest

from support import ROOT, CliTest

SERIAL = "PDNLH0BRH7L1XY"
DRIVE_SERIAL = "S0K1A2B3C4D5"
DRIVE_ID = "5000C500A1B2C3D4"
VOLUME = "600508B1001CA98D5D765BEA5A0DD3FA"
LABEL = "A01234567" + SERIAL + "5A2C"
HOST = "raid-box-17"
SECRETS = (SERIAL, DRIVE_SERIAL, DRIVE_ID, VOLUME, LABEL, HOST)

REPORT = f"""
Smart Array P420i in Slot 0 (Embedded)  (sn: {SERIAL})
   Bus Interface: PCI
   Slot: 0
   Serial Number: {SERIAL}
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
   PCI Address (Domain:Bus:Device.Function): 0000:00:01.0

   Array: A
      Interface Type: SAS
      Unused Space: 0  MB
      Status: OK

      Logical Drive: 1
         Size: 279.4 GB
         Fault Tolerance: 1
         Strip Size: 256 KB
         Status: OK
         Caching:  Enabled
         Unique Identifier: {VOLUME}
         Disk Name: /dev/sda
         Logical Drive Label: {LABEL}

      physicaldrive 1I:1:1
         Port: 1I
         Box: 1
         Bay: 1
         Status: OK
         Drive Type: Data Drive
         Interface Type: SAS
         Size: 300 GB
         Serial Number: {DRIVE_SERIAL}
         WWID: {DRIVE_ID}
         Model: HP      EG0300FBDBR

"""

PCI = "sys/devices/pci0000:00/0000:00:01.0"
TREE = {
    "proc/sys/kernel/hostname": HOST + "\n",
    "proc/sys/kernel/osrelease": "2.6.32-754.el6.x86_64\n",
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) 100% fast\n",
    "proc/meminfo": "MemTotal:       16384000 kB\n",
    "proc/mounts": "/dev/sda1 /boot ext4 rw 0 0\n",
    "etc/os-release": 'PRETTY_NAME="Old Linux 6"\n',
    "sys/class/dmi/id/product_name": "ProLiant DL380p Gen8\n",
    "sys/class/dmi/id/sys_vendor": "HP\n",
    "sys/module/hpsa/version": "3.4.20\n",
    f"{PCI}/class": "0x010400\n",
    f"{PCI}/vendor": "0x103c\n",
    f"{PCI}/device": "0x323b\n",
    f"{PCI}/subsystem_vendor": "0x103c\n",
    f"{PCI}/subsystem_device": "0x3354\n",
    f"{PCI}/numa_node": "0\n",
    f"{PCI}/uevent": "DRIVER=hpsa\n",
    f"{PCI}/host0/scsi_host/host0/proc_name": "hpsa\n",
    f"{PCI}/host0/scsi_host/host0/firmware_revision": "8.32\n",
    f"{PCI}/host0/scsi_host/host0/lockup_detected": "ld=0\n",
    f"{PCI}/host0/scsi_host/host0/hp_ssd_smart_path_status": "HP SSD Smart Path enabled\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/type": "0\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/vendor": "HP      \n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/model": "LOGICAL VOLUME  \n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/rev": "8.32\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/raid_level": "RAID 1(+0)\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/unique_id": VOLUME + "\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/queue_depth": "1013\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/vpd_pg80": b"\x00\x80\x00\x10" + SERIAL.encode().ljust(16),
    f"{PCI}/host0/target0:1:0/0:1:0:0/vpd_pg83": b"\x00\x83\x00\x14\x01\x03\x00\x10" + bytes.fromhex(VOLUME),
    f"{PCI}/host0/target0:1:0/0:1:0:0/inquiry":
        b"\x00\x00\x05\x02\x5b\x00\x00\x02HP      LOGICAL VOLUME  8.32" + bytes(60),
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/size": "585937500\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/dev": "8:0\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/uevent": "DEVNAME=sda\nDEVTYPE=disk\nMAJOR=8\nMINOR=0\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/queue/scheduler": "noop [cfq] deadline\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/queue/rotational": "1\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/sda1/partition": "1\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/sda1/dev": "8:1\n",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/sda1/uevent": "DEVNAME=sda1\nDEVTYPE=partition\nMAJOR=8\nMINOR=1\n",
}
LINKS = {
    "sys/bus/pci/devices/0000:00:01.0": f"../../../../{PCI}",
    f"{PCI}/driver": "../../../bus/pci/drivers/hpsa",
    "sys/class/scsi_host/host0": f"../../../{PCI}/host0/scsi_host/host0",
    f"{PCI}/host0/scsi_host/host0/device": "../../../host0",
    "sys/bus/scsi/devices/0:1:0:0": f"../../../../{PCI}/host0/target0:1:0/0:1:0:0",
    "sys/class/block/sda": f"../../../{PCI}/host0/target0:1:0/0:1:0:0/block/sda",
    "sys/class/block/sda1": f"../../../{PCI}/host0/target0:1:0/0:1:0:0/block/sda/sda1",
    f"{PCI}/host0/target0:1:0/0:1:0:0/block/sda/device": "../../../0:1:0:0",
}


class CaptureTest(CliTest):
    def tree(self):
        root = self.folder / "root"
        if root.exists():
            return root
        for name, content in TREE.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (root / "sys/bus/pci/drivers/hpsa").mkdir(parents=True)
        for name, target in LINKS.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        return root

    def tool(self, script=None):
        path = self.write("ssacli", script or f"#!/bin/sh\ncat <<'EOF'\n{REPORT}EOF\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def machine(self):
        return "--sysroot", self.tree(), "--ssacli", self.tool()

    def plain(self, document):
        """Without what the time decides."""
        document = json.loads(json.dumps(document))
        document["taken_at"] = None
        for source in document["sources"]:
            source["duration_ms"] = None
        return document

    def assert_redacted(self, text):
        low = text.lower()
        for secret in SECRETS:
            for form in (secret.lower(), secret.encode().hex(), secret.lower().encode().hex(),
                         secret.upper().encode().hex()):
                self.assertNotIn(form, low)


class Capture(CaptureTest):
    def test_a_capture_of_this_machine_gives_the_document_again(self):
        bundle = self.folder / "here.capture"
        self.assertIn(self.run_cli("capture", "-o", bundle).returncode, (0, 1))
        once = self.run_cli("probe", "--from", bundle, "--format", "json").stdout
        self.assertEqual(once, self.run_cli("probe", "--from", bundle, "--format", "json").stdout)
        live = json.loads(self.run_cli("probe", "--format", "json").stdout)
        again = json.loads(once)
        self.assertRegex(again["taken_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual([s["path"] for s in again["sources"]], [s["path"] for s in live["sources"]])
        self.assertEqual(again["host"], live["host"])

    def test_a_tree_and_a_tool_replay_to_the_identical_document(self):
        bundle = self.folder / "machine.capture"
        self.expect(0, "capture", *self.machine(), "-o", bundle)
        self.assertTrue(bundle.read_text().startswith("raidscope-capture 1\n"))
        live = self.document("probe", *self.machine(), "--format", "json")
        again = self.document("probe", "--from", bundle, "--format", "json")
        self.assertEqual(self.plain(again), self.plain(live))
        self.assertEqual(live["controllers"][0]["serial"], SERIAL)
        self.assertGreater(sum(s["duration_ms"] or 0 for s in again["sources"]), 0)
        # The tree and the tool are not needed any more.
        shutil.rmtree(self.folder / "root")
        self.assertEqual(self.document("probe", "--from", bundle, "--format", "json"), again)
        self.assertEqual(self.expect(0, "diff", bundle, bundle).returncode, 0)
        self.assertIn(self.run_cli("audit", "--from", bundle).returncode, (0, 1, 2, 3))
        with open(bundle) as text:
            self.assertEqual(self.document("probe", "--from", "-", "--format", "json", stdin=text.read()), again)

    def test_only_some_paths(self):
        bundle = self.folder / "some.capture"
        self.expect(0, "capture", *self.machine(), "--only", "sysfs", "-o", bundle)
        again = self.document("probe", "--from", bundle, "--format", "json")
        self.assertEqual([s["path"] for s in again["sources"]], ["sysfs"])
        self.assertNotIn("Serial Number", bundle.read_text())

    def test_what_failed_is_in_the_bundle(self):
        bundle = self.folder / "failed.capture"
        tool = self.tool("#!/bin/sh\necho 'Error: Another instance of ssacli is running'; exit 1\n")
        done = self.expect(1, "capture", "--sysroot", self.tree(), "--ssacli", tool, "--only", "ssacli,host",
                           "-o", bundle, timeout=60)
        self.assertIn("another instance", done.stderr)
        again = self.expect(1, "probe", "--from", bundle, "--format", "json")
        self.assertIn("another instance", again.stderr)

    def test_without_o_it_goes_to_standard_output(self):
        self.assertTrue(self.expect(0, "capture", *self.machine()).stdout.endswith("\n"))

    def test_a_truncated_bundle_says_so_and_ends_with_0(self):
        text = self.expect(0, "capture", *self.machine()).stdout
        whole = self.document("probe", "--from", "-", "--format", "json", stdin=text)
        for part in (0.05, 0.3, 0.6, 0.9, 0.97):
            done = self.expect(0, "probe", "--from", "-", "--format", "json", stdin=text[:int(len(text) * part)])
            document = json.loads(done.stdout)
            self.assertIn("cut off", " ".join(note["text"] for note in document["notes"]))
            self.assertIn("cut off", done.stderr)
            if document["controllers"] and document["controllers"][0]["serial"]:
                self.assertEqual(document["controllers"][0]["serial"], whole["controllers"][0]["serial"])

    def test_a_cut_before_the_tools_words_accuses_nobody(self):
        text = self.expect(0, "capture", *self.machine()).stdout
        begin = text.index("== tool")
        end = text.index("\n ", begin)
        for at in (begin, begin + 5, (begin + end) // 2, end - 1):
            done = self.expect(0, "probe", "--from", "-", "--format", "json", stdin=text[:at])
            tool = next(s for s in json.loads(done.stdout)["sources"] if s["path"] == "ssacli")
            self.assertEqual(tool["status"], "skipped", text[begin:at])
            self.assertIn("cut off", tool["detail"])

    def test_more_sections_than_counted_lose_nothing(self):
        text = self.expect(0, "capture", *self.machine()).stdout
        whole = self.document("probe", "--from", "-", "--format", "json", stdin=text)
        text = re.sub(r"(?m)^== end (\d+)", lambda m: f"== list tmp\n added\n== end {m[1]}", text)
        done = self.expect(0, "probe", "--from", "-", "--format", "json", stdin=text)
        self.assertEqual(json.loads(done.stdout)["controllers"], whole["controllers"])
        self.assertIn("somebody added", done.stderr)

    def test_a_field_that_cannot_be_is_65_with_its_line(self):
        text = self.expect(0, "capture", *self.machine()).stdout
        for wrong, line in ((re.sub(r"(?m)^\.answers .*", ".answers maybe", text), ".answers"),
                            (re.sub(r"(?m)^\.taken_at .*", ".taken_at yesterday", text), ".taken_at"),
                            (re.sub(r"(?m)^\.error .*", ".error oops", text, count=1), ".error"),
                            (re.sub(r"(?m)^\.exit_status .*", ".exit_status none", text), ".exit_status")):
            at = next(i for i, one in enumerate(wrong.split("\n"), 1) if wrong != text and one.startswith(line + " "))
            self.assertIn(f":{at}", self.expect(65, "probe", "--from", "-", stdin=wrong).stderr)

    def test_an_empty_tree_is_unknown_and_not_none(self):
        (self.folder / "empty").mkdir()
        done = self.expect(0, "probe", "--sysroot", "empty")
        self.assertIn("is unknown", done.stdout)
        self.assertNotIn("No Smart Array", done.stdout)
        self.assertIn("unknown", self.expect(0, "doctor", "--sysroot", "empty").stdout)
        self.assertEqual(self.run_cli("audit", "--sysroot", "empty").returncode, 3)
        bundle = subprocess.run(["sh", str(SCRIPT), "-r", str(self.folder / "empty")], capture_output=True, text=True,
                                cwd=self.folder, check=True).stdout
        self.assertIn("is unknown", self.expect(0, "probe", "--from", "-", stdin=bundle).stdout)

    def test_from_asks_no_machine(self):
        bundle = self.folder / "machine.capture"
        self.expect(0, "capture", *self.machine(), "-o", bundle)
        for word in (["--only", "sysfs"], ["--cross-check"], ["--no-wait"]):
            self.assertIn(word[0], self.expect(64, "probe", "--from", bundle, *word).stderr)

    def test_an_audit_says_where_the_paths_disagree(self):
        tool = self.tool("#!/bin/sh\ncat <<'EOF'\n" + REPORT.replace("Firmware Version: 8.32", "Firmware Version: 6.00") + "EOF\n")
        done = self.run_cli("audit", "--sysroot", self.tree(), "--ssacli", tool)
        self.assertRegex(done.stderr, "disagree.*firmware.*6.00")

    def test_a_locked_up_controller_says_so_on_its_line(self):
        root = self.tree()
        (root / PCI / "host0/scsi_host/host0/lockup_detected").write_text("ld=13\n")
        self.assertRegex(self.expect(0, "probe", "--sysroot", root).stdout, r"Smart Array P420i.*\n?.*LOCKED UP")

    def test_a_bundle_of_a_later_version_and_a_broken_one_are_65(self):
        later = self.write("later.capture", "raidscope-capture 2\n== capture\n== end 1\n")
        done = self.expect(65, "probe", "--from", later)
        self.assertIn("version 2", done.stderr)
        self.assertIn("newer raidscope", done.stderr)
        broken = self.write("broken.capture", "raidscope-capture 1\n== capture\nfolded by mail\n== end 1\n")
        self.assertIn("broken.capture:3", self.expect(65, "probe", "--from", broken).stderr)
        (self.folder / "two").mkdir()
        shutil.copy(later, self.folder / "two/a.capture")
        self.write("two/b.txt", REPORT)
        self.assertIn("one machine", self.expect(65, "probe", "--from", "two").stderr)

    def test_a_full_disk_is_73(self):
        self.assertIn("/dev/full", self.expect(73, "capture", *self.machine(), "-o", "/dev/full").stderr)
        self.expect(73, "capture", *self.machine(), "-o", self.folder / "no/such/folder")


class Redaction(CaptureTest):
    def test_a_redacted_bundle_holds_no_secret_and_replays_to_the_redacted_inventory(self):
        plain, bundle, key = (self.folder / name for name in ("plain.capture", "redacted.capture", "key"))
        self.expect(0, "capture", *self.machine(), "-o", plain)
        self.expect(0, "capture", *self.machine(), "--redact", "--redact-key", key, "-o", bundle)
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        text = bundle.read_text()
        self.assert_redacted(text)
        self.assertIn("LOGICAL VOLUME", text)
        redacted = self.document("probe", "--from", bundle, "--format", "json")
        self.assert_redacted(json.dumps(redacted))
        # The same pseudonyms for the document alone, and for the bundle redacted afterwards.
        printed = self.document("probe", "--from", plain, "--redact", "--redact-key", key, "--format", "json")
        self.assertEqual(self.plain(redacted), self.plain(printed))
        later = self.expect(0, "capture", "--from", plain, "--redact", "--redact-key", key).stdout
        self.assertEqual(self.document("probe", "--from", "-", "--format", "json", stdin=later), printed)
        machine = self.document("probe", *self.machine(), "--redact", "--redact-key", key, "--format", "json")
        self.assertEqual(self.plain(machine), self.plain(printed))
        original = self.document("probe", "--from", plain, "--format", "json")
        for before, after in zip(original["controllers"], redacted["controllers"]):
            self.assertEqual(before["fingerprint"], after["fingerprint"])
            self.assertEqual(before["model"], after["model"])
            self.assertEqual(len(before["serial"]), len(after["serial"]))
            drive, other = (c["arrays"][0]["logical_drives"][0] for c in (before, after))
            self.assertEqual(other["unique_id"][:12], VOLUME[:12])
            self.assertEqual(other["label"][9:9 + len(SERIAL)], after["serial"])
            self.assertEqual(drive["fingerprint"], other["fingerprint"])
            self.assertEqual(other["device"], "/dev/sda")

    def test_each_time_another_key_unless_one_is_named(self):
        one, two = (self.document("probe", *self.machine(), "--redact", "--format", "json") for _ in range(2))
        self.assertNotEqual(one["controllers"][0]["serial"], two["controllers"][0]["serial"])
        self.assert_redacted(json.dumps(one))

    def test_vendor_text_and_a_snapshot_can_be_printed_redacted(self):
        text = self.write("report.txt", REPORT)
        self.assert_redacted(self.expect(0, "probe", "--from", text, "--redact", "--format", "json").stdout)
        self.assert_redacted(self.expect(0, "probe", "--from", text, "--redact").stdout)
        snapshot = self.write("snapshot.json", self.expect(0, "probe", "--from", text, "--format", "json").stdout)
        self.assert_redacted(self.expect(0, "probe", "--from", snapshot, "--redact", "--format", "json").stdout)

    def test_a_host_called_a_takes_no_letter_away(self):
        (self.tree() / "proc/sys/kernel/hostname").write_text("a\n")
        document = self.document("probe", *self.machine(), "--redact", "--format", "json")
        self.assertEqual(document["controllers"][0]["name"], "Smart Array P420i")
        self.assertNotEqual(document["host"]["hostname"], "a")
        self.assertEqual(len(document["host"]["hostname"]), 1)

    def test_wrong_uses(self):
        key = self.write("short", "abc\n")
        self.expect(64, "capture", "--redact-key", key)
        self.expect(65, "capture", *self.machine(), "--redact", "--redact-key", key)
        self.expect(64, "capture", "--from", key)
        self.expect(65, "capture", "--from", key, "--redact")
        self.expect(66, "capture", "--from", "nosuch", "--redact")
        self.expect(64, "probe", "--from", "", "--redact", "--explain", "firmware")
        open_key = self.write("open", "0123456789abcdef" * 2 + "\n")
        open_key.chmod(0o644)
        self.assertIn("chmod 600", self.expect(0, "capture", *self.machine(), "--redact", "--redact-key", open_key).stderr)


    def test_a_key_is_hex_digits_and_no_other_file(self):
        for words in ("root:x:0:0:root:/root:/bin/sh\n" * 9, "0123456789abcdef", "0" * 5000, "", "a b" * 40):
            key = self.write("nokey", words)
            key.chmod(0o644)
            done = self.expect(65, "capture", *self.machine(), "--redact", "--redact-key", key)
            self.assertIn("not a key", done.stderr)
            self.assertNotIn("chmod", done.stderr)
        made = self.folder / "made"
        self.expect(0, "probe", *self.machine(), "--redact", "--redact-key", made)
        self.expect(0, "probe", *self.machine(), "--redact", "--redact-key", made)

    def test_a_serial_number_in_a_line_nobody_understands(self):
        lines = "WARNING cannot read drive serial XYZ99887766QQ\nblink unit BTWL3C0D009 beside it\n"
        hidden = ("xyz99887766qq", "btwl3c0d009")
        text = self.write("report.txt", REPORT.replace("   Slot: 0\n", "   Slot: 0\n" + lines, 1))
        bundle = self.write("odd.capture", self.expect(0, "capture", "--sysroot", self.tree(), "--ssacli",
                                                      self.tool(f"#!/bin/sh\ncat {text}\n")).stdout)
        plain = self.expect(0, "probe", "--from", text, "--format", "json")
        self.assertIn("XYZ99887766QQ", plain.stdout + plain.stderr)
        for words in (("probe", "--from", text), ("probe", "--from", bundle), ("capture", "--from", bundle),
                      ("probe", "--from", bundle, "--format", "json"), ("probe", "--from", text, "--from", bundle)):
            done = self.expect(0, *words, "--redact")
            for secret in hidden:
                self.assertNotIn(secret, (done.stdout + done.stderr).lower())

    def test_a_file_called_after_a_secret_is_printed_with_a_pseudonym(self):
        text = REPORT + "nonsense\n"
        for stem in (SERIAL, f"box-QQ77{DRIVE_SERIAL}", "ZZ81726354YY"):
            named = self.write(f"{stem}.txt", text)
            done = self.expect(0, "probe", "--from", named, "--from", named, "--redact")
            self.assertIn("nonsense", done.stderr)
            self.assertIn("== ", done.stdout)
            for secret in (SERIAL, DRIVE_SERIAL, "ZZ81726354YY"):
                self.assertNotIn(secret, done.stdout + done.stderr)

    def test_servers_labels_and_links_of_the_kernel_are_redacted(self):
        (self.tree() / "proc/mounts").write_text(
            "/dev/sda1 /boot ext4 rw 0 0\n"
            "gluster-fin5:/gv0 /a fuse.glusterfs rw 0 0\n"
            "/dev/disk/by-label/TopSecret\\134x20Vol /b ext4 rw 0 0\n"
            "/dev/disk/by-id/ata-SAMSUNG_MZ7KM480_S2T3NX10XY /c ext4 rw 0 0\n"
            "[2001:db8::dead:beef]:/v6 /d nfs rw,addr=2001:db8::dead:beef 0 0\n")
        links = self.tree() / "dev/disk/by-label"
        links.mkdir(parents=True)
        (self.tree() / "dev/sda1").write_text("")
        (links / "TopSecret\\x20Vol").symlink_to("../../sda1")
        plain = self.expect(0, "capture", *self.machine()).stdout
        self.assertIn("gluster-fin5", plain)
        self.assertIn("TopSecret", plain)
        done = self.expect(0, "capture", *self.machine(), "--redact")
        for secret in ("gluster-fin5", "topsecret", "s2t3nx10xy", "dead:beef"):
            self.assertNotIn(secret, done.stdout.lower())
        self.assertIn(":/gv0 /a fuse.glusterfs rw", done.stdout)
        before = self.document("probe", *self.machine(), "--format", "json")
        after = self.document("probe", "--from", "-", "--format", "json", stdin=done.stdout)
        drive, other = (d["controllers"][0]["arrays"][0]["logical_drives"][0] for d in (before, after))
        self.assertEqual(sorted(drive["mount_points"]), sorted(other["mount_points"]))
        self.assertIn("/b", other["mount_points"])


SCRIPT = ROOT / "docs/capture.sh"
SHELLS = [words for words in (["dash"], ["busybox", "sh"], ["bash", "--posix"], ["ksh"], ["mksh"]) if shutil.which(words[0])]


class Script(CaptureTest):
    def script(self, shell, *words, environment=None, timeout=60):
        return subprocess.run([*shell, str(SCRIPT), *map(str, words)], capture_output=True, timeout=timeout,
                              env=dict(self.environment, **(environment or {})), cwd=self.folder)

    def test_its_bundle_gives_what_the_program_finds(self):
        self.assertTrue(SHELLS)
        live = self.plain(self.document("probe", *self.machine(), "--format", "json"))
        for shell in SHELLS:
            with self.subTest(shell=shell):
                done = self.script(shell, "-r", self.tree(), "-t", self.tool())
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                bundle = self.write("sh.capture", done.stdout)
                again = self.plain(self.document("probe", "--from", bundle, "--format", "json"))
                self.assertEqual(again["controllers"], live["controllers"])
                self.assertEqual(again["host"], live["host"])
                self.assertEqual(again["block_devices"], live["block_devices"])
                redacted = self.expect(0, "capture", "--from", bundle, "--redact")
                self.assert_redacted(redacted.stdout)

    def test_the_text_of_the_tool_comes_byte_for_byte(self):
        for text in ("one\n\ntwo\n\n\n", "half", "", "a % b \\n $x\n", "== end 1\n-x\n x\n.y\n\tz\n"):
            tool = self.tool("#!/bin/sh\ncat " + str(self.write("words", text)) + "\nexit 3\n")
            for shell in SHELLS:
                out = self.script(shell, "-r", self.empty(), "-t", tool).stdout.decode()
                section = out[out.index("== tool"):out.rindex("== end")]
                lines = [line for line in section.split("\n")[1:] if line and line[0] in " -"]
                self.assertEqual("".join(line[1:] + ("\n" if line[0] == " " else "") for line in lines), text, shell)
                self.assertIn("\n.exit_status 3\n", section)

    def empty(self):
        """A root without anything in it: what is about the tool alone takes no time."""
        root = self.folder / "empty"
        root.mkdir(exist_ok=True)
        return root

    def bare(self, *without):
        """A folder of the basic tools and the script that looks nowhere else."""
        bare = self.folder / ("bin-" + "-".join(without))
        if not bare.exists():
            bare.mkdir()
            for name in ("cat", "ls", "sed", "readlink", "date", "sleep", "od", "tr", "uname", "setsid", "sh", "sort", "id",
                         "head", "dd", "printf"):
                if shutil.which(name) and name not in without:
                    (bare / name).symlink_to(shutil.which(name))
        hidden = self.write("capture.sh", "PATH=$1; export PATH; shift\n" + re.sub(r"(?m)^PATH=\$PATH.*$", "", SCRIPT.read_text()))
        return bare, hidden

    def tool_section(self, output):
        text = output.decode()
        return text[text.index("== tool"):]

    def alive(self, pid):
        try:
            with open(f"/proc/{pid}/stat") as told:
                return told.read().rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def assert_gone(self, name):
        """The processes whose ids are in the file are there no more, or soon."""
        pids = (self.folder / name).read_text().split()
        self.assertTrue(pids)
        until = time.monotonic() + 10
        while any(map(self.alive, pids)) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual([pid for pid in pids if self.alive(pid)], [])
        (self.folder / name).unlink()

    def test_a_tool_that_hangs_is_stopped(self):
        pids = self.folder / "pids"
        tool = self.tool(f"#!/bin/sh\ntrap '' TERM\necho begun\nsleep 600 & echo $$ $! >{pids}\nwait; sleep 600\n")
        for shell in SHELLS:
            with self.subTest(shell=shell):
                done = self.script(shell, "-r", self.empty(), "-t", tool, "-w", "1")
                self.assertIn("\n.error timeout\n", done.stdout.decode())
                self.assertIn("\n begun\n", done.stdout.decode())
                self.assertTrue(done.stdout.endswith(b"== end\n"))
                self.assertIn(b"did not answer in 1 s", done.stderr)
                self.assert_gone("pids")
            for without in ((), ("setsid",)):
                with self.subTest(shell=shell, without=without):
                    bare, hidden = self.bare(*without)
                    again = subprocess.run([shutil.which(shell[0]), *shell[1:], str(hidden), str(bare), "-r", str(self.empty()),
                                            "-t", str(tool), "-w", "1"], capture_output=True, timeout=60, cwd=self.folder)
                    self.assertIn(b".error timeout", again.stdout)
                    self.assert_gone("pids")
        again = self.expect(1, "probe", "--from", self.write("hung.capture", done.stdout))
        self.assertIn("did not answer", again.stderr)

    def test_what_the_tool_leaves_behind_with_its_output_open_is_not_waited_for(self):
        pids = self.folder / "pids"
        for start, left in (("sleep 600 &", False), ("setsid sleep 600 &", True)):
            if left and not shutil.which("setsid"):
                continue
            tool = self.tool(f"#!/bin/sh\necho said\n{start}\necho $! >{pids}\nsleep 0.2\nexit 0\n")
            for shell in SHELLS:
                for without in (None, ("setsid",)):
                    with self.subTest(shell=shell, start=start, without=without):
                        if without:
                            # The tool itself has all the programs; only the script lacks some.
                            bare, hidden = self.bare(*without)
                            tool.write_text(tool.read_text().replace("#!/bin/sh\necho", f"#!/bin/sh\nPATH={os.environ['PATH']}\necho"))
                            words = [shutil.which(shell[0]), *shell[1:], str(hidden), str(bare)]
                        else:
                            words = [*shell, str(SCRIPT)]
                        begun = time.monotonic()
                        done = subprocess.run([*words, "-r", str(self.empty()), "-t", str(tool), "-w", "50"],
                                              capture_output=True, timeout=40, cwd=self.folder)
                        self.assertLess(time.monotonic() - begun, 40)
                        section = self.tool_section(done.stdout)
                        self.assertIn("\n said\n.exit_status 0\n", section)
                        self.assertNotIn(".error", section)
                        if left or without:
                            os.kill(int(pids.read_text()), signal.SIGKILL)
                        self.assert_gone("pids")

    def test_a_signal_ends_script_and_tool(self):
        pids = self.folder / "pids"
        tool = self.tool(f"#!/bin/sh\necho begun\nsleep 600 &\necho $$ $! >{pids}.new; mv {pids}.new {pids}\nwait\n")
        for shell in SHELLS:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(shell=shell, signal=number):
                    script = subprocess.Popen([*shell, str(SCRIPT), "-r", str(self.empty()), "-t", str(tool)], cwd=self.folder,
                                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
                    until = time.monotonic() + 40
                    while not pids.exists() and time.monotonic() < until:
                        time.sleep(0.05)
                    # Ctrl-C goes to all of the terminal's foreground group, kill to one.
                    (os.killpg if number == signal.SIGINT else os.kill)(script.pid, number)
                    out, err = script.communicate(timeout=30)
                    self.assertEqual(script.returncode, 128 + number, err)
                    self.assertNotIn(b"== end", out)
                    self.assert_gone("pids")

    def test_an_exit_status_of_the_tools_own_is_no_timeout(self):
        for status in (124, 137, 143):
            tool = self.tool(f"#!/bin/sh\ncat <<'EOF'\n{REPORT}EOF\nexit {status}\n")
            for shell in SHELLS:
                with self.subTest(shell=shell, status=status):
                    done = self.script(shell, "-r", self.empty(), "-t", tool)
                    section = self.tool_section(done.stdout)
                    self.assertIn(f"\n.exit_status {status}\n", section)
                    self.assertNotIn(".error", section)
                    self.assertEqual("".join(line[1:] + "\n" for line in section.split("\n") if line.startswith(" ")), REPORT)

    def test_a_named_tool_that_is_none(self):
        plain = self.write("plain", "no program\n")
        for shell in SHELLS:
            for name, word in (("/nothere", "not_found"), ("nothere", "not_found"), (self.empty(), "permission"),
                               (plain, "permission")):
                with self.subTest(shell=shell, name=name):
                    done = self.script(shell, "-r", self.empty(), "-t", name)
                    self.assertEqual(done.returncode, 0)
                    self.assertIn(f"\n.error {word}\n", self.tool_section(done.stdout))
                    self.assertIn(str(name).encode(), done.stderr)
                    replay = self.run_cli("probe", "--from", "-", stdin=done.stdout.decode()).stderr
                    self.assertIn("no such program" if word == "not_found" else "not a program that may be run", replay)

    def test_without_root_it_says_what_is_missing(self):
        fake = self.folder / "fake"
        fake.mkdir()
        for name, text in (("id", "echo 1000"), ("ssacli", "echo asked")):
            (fake / name).write_text(f"#!/bin/sh\n{text}\n")
            (fake / name).chmod(0o755)
        for shell in SHELLS[:2]:
            done = self.script(shell, environment={"PATH": f"{fake}:{os.environ['PATH']}"}, timeout=300)
            self.assertIn(b".error permission\n.message the vendor tool needs root\n", done.stdout)
            self.assertNotIn(b"asked", done.stdout[done.stdout.index(b"== tool"):])
            self.assertEqual(done.stderr.count(b"not root: "), 1)
        if os.geteuid() == 0:
            return
        (self.tree() / "proc/cpuinfo").chmod(0)
        self.assertIn(b"1 files could not be read (/proc/cpuinfo)", self.script(SHELLS[0], "-r", self.tree()).stderr)

    def test_the_attributes_of_the_cciss_driver(self):
        root = self.folder / "old"
        pci = "sys/devices/pci0000:00/0000:06:00.0"
        for name, content in {
            "proc/driver/cciss/cciss0": "cciss0: HP Smart Array P400 Controller\nBoard ID: 0x3234103c\n"
                                        "Firmware Version: 7.24\ncciss/c0d0:\t 146.77GB\tRAID 1(1+0)\n",
            "proc/sys/kernel/osrelease": "2.6.32\n",
            f"{pci}/class": "0x010400\n", f"{pci}/vendor": "0x103c\n", f"{pci}/device": "0x3230\n",
            f"{pci}/subsystem_vendor": "0x103c\n", f"{pci}/subsystem_device": "0x3234\n",
            f"{pci}/cciss0/transport_mode": "performant\n", f"{pci}/cciss0/resettable": "1\n",
            f"{pci}/cciss0/c0d0/unique_id": "600508B100104A4B4C4D4E4F50510001\n",
            f"{pci}/cciss0/c0d0/lunid": "0x0000004000000000\n", f"{pci}/cciss0/c0d0/usage_count": "1\n",
            f"{pci}/cciss0/c0d0/raid_level": "RAID 1(1+0)\n", f"{pci}/cciss0/c0d0/vendor": "HP\n",
            f"{pci}/cciss0/c0d0/model": "LOGICAL VOLUME\n", f"{pci}/cciss0/c0d0/rev": "7.24\n",
            f"{pci}/cciss0/c0d0/block/cciss!c0d0/size": "286677120\n",
            "sys/module/cciss/version": "3.6.28\n",
            "sys/bus/pci/drivers/cciss/bind": "",
        }.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        for name, target in {f"{pci}/driver": "../../../bus/pci/drivers/cciss",
                             "sys/bus/pci/devices/0000:06:00.0": f"../../../../{pci}",
                             "sys/class/block/cciss!c0d0": f"../../../{pci}/cciss0/c0d0/block/cciss!c0d0",
                             f"{pci}/cciss0/c0d0/block/cciss!c0d0/device": "../../../c0d0"}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).symlink_to(target)
        live = self.document("probe", "--sysroot", root, "--format", "json")
        self.assertIn("600508B100104A4B4C4D4E4F50510001", json.dumps(live))
        for shell in SHELLS:
            with self.subTest(shell=shell):
                bundle = self.write("old.capture", self.script(shell, "-r", root).stdout)
                again = self.document("probe", "--from", bundle, "--format", "json")
                for part in live:
                    if part not in ("taken_at", "sources", "notes"):
                        self.assertEqual(again[part], live[part], part)

    def test_it_writes_nothing_but_its_output(self):
        self.tree()
        self.tool()
        before = sorted(str(path) for path in self.folder.rglob("*"))
        for shell in SHELLS:
            self.script(shell, "-r", self.tree())
        self.assertEqual(sorted(str(path) for path in self.folder.rglob("*")), before)

    def test_without_a_tool_and_with_wrong_words(self):
        for shell in SHELLS:
            out = self.script(shell, "-r", self.tree()).stdout.decode()
            self.assertNotIn("== tool", out)
            document = self.document("probe", "--from", "-", "--format", "json", stdin=out)
            self.assertEqual(document["controllers"][0]["pci_address"], "0000:00:01.0")
            for words in (["-x"], ["-r"], ["-w", "soon"], ["-w", "0"], ["-w", "00"], ["-w", ""], ["-w", "9999999"]):
                self.assertEqual(self.script(shell, *words).returncode, 64)
            self.assertEqual(self.script(shell, "-r", "nosuch").returncode, 66)
            self.assertIn(b"usage:", self.script(shell, "-h").stdout)
            with open("/dev/full", "w") as full:
                done = subprocess.run([*shell, str(SCRIPT), "-r", str(self.tree())], timeout=60, check=False, stdout=full,
                                      stderr=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 73)


if __name__ == "__main__":
    unittest.main()
