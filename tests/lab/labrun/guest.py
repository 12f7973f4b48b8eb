"""One guest from beginning to end: the emulated cards, QEMU, and the folder that both sides see."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time

FIRST_SLOT = 0x10  # of the emulated PCI bus


class Failed(Exception):
    """The guest did not come to its end."""


def exposed_nodes(state):
    """How many SCSI devices the driver makes of a card: itself, volumes that it can use, drives in HBA mode."""
    usable = {"OK", "Interim Recovery Mode", "Ready for Rebuild", "Recovering", "Wrong Drive Replaced",
              "Drive Connection Problem", "Overheating", "Overheated", "Expanding", "Queued for Expansion",
              "Ready for Predictive Spare Rebuild"}
    volumes = [drive for array in state["arrays"] for drive in array["logical_drives"]]
    return 1 + sum(drive["status"] in usable for drive in volumes) + len(state["hba_drives"])


def steps_script(scenario):
    """The guest's shell commands: each step's output, errors and exit code go to files of its name, and the cards' logs
    are marked before and after it."""
    lines = ["mark() { n=0; while [ $n -lt $CARDS ]; do timeout 120 labctl -c $n mark \"$1\" 2>/dev/null; n=$((n + 1)); done; }"]
    for step in scenario.steps:
        name, seconds = shlex.quote(step["name"]), int(step.get("seconds", 600))
        lines += [f"mark {shlex.quote('begin ' + step['name'])}",
                  f"timeout {seconds} sh -c {shlex.quote(step['run'])} >/results/{name}.out 2>/results/{name}.err </dev/null",
                  f"echo $? >/results/{name}.exit",
                  f"mark {shlex.quote('end ' + step['name'])}"]
    return "\n".join(lines) + "\n"


class Guest:
    """Boots once. `lab`: the folder that setup filled; `build`: the build tree whose programs run inside."""

    def __init__(self, lab, build, source, initramfs, results):
        self.lab, self.build, self.source, self.initramfs, self.results = lab, build, source, initramfs, results

    def run(self, scenario):
        """Wall seconds. Raises Failed when the guest did not switch itself off."""
        shutil.rmtree(self.results, ignore_errors=True)
        self.results.mkdir(parents=True)
        states = [self._describe(number, machine) for number, machine in enumerate(scenario.machines)]
        options = scenario.guest.get("hpsa_options", "")
        (self.results / "guest.env").write_text(
            f"NODES={sum(map(exposed_nodes, states))} CARDS={len(states)} HPSA_OPTIONS={shlex.quote(options)}\n"
            "ln -s /build/raidscope /build/tests/lab/labctl /lab/bin/\n"
            "ln -s /results/cciss_vol_status /lab/bin/\n"
            + ("ln -s /build/tests/standin_ssacli /lab/bin/ssacli\n" if scenario.guest.get("vendor_tool") else ""))
        (self.results / "steps.sh").write_text(steps_script(scenario))
        shutil.copy(self.lab / "tools/usr/bin/cciss_vol_status", self.results)
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="raidscope-lab-") as folder:
            sockets = [pathlib.Path(folder) / f"card{number}" for number in range(len(states))]
            cards = [self._start_card(number, socket) for number, socket in enumerate(sockets)]
            try:
                for card, socket in zip(cards, sockets):
                    self._wait_for(card, socket)
                self._boot(scenario, sockets)
            finally:
                for card in cards:
                    self._end(card)
        return time.monotonic() - began

    def _describe(self, number, machine):
        """The card's whole state as it will begin; an error of the description ends here."""
        path = self.results / f"machine{number}.json"
        path.write_text(json.dumps(machine, indent=1))
        done = subprocess.run([self._smartarrayd(), path], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(done.stderr.strip())
        (self.results / f"state{number}.json").write_text(done.stdout)
        return json.loads(done.stdout)

    def _smartarrayd(self):
        return self.build / "tests/lab/smartarrayd"

    def _start_card(self, number, socket):
        with open(self.results / f"card{number}.err", "wb") as errors:
            return subprocess.Popen([self._smartarrayd(), self.results / f"machine{number}.json", socket,
                                     self.results / f"card{number}.log"], stderr=errors)

    @staticmethod
    def _wait_for(card, socket):
        end = time.monotonic() + 30
        while not socket.exists():
            if card.poll() is not None or time.monotonic() > end:
                raise Failed("the emulated card does not start: see card0.err")
            time.sleep(0.02)

    @staticmethod
    def _end(card):
        """It goes with its client; one that does not is stopped."""
        try:
            card.wait(timeout=10)
        except subprocess.TimeoutExpired:
            card.terminate()
            card.wait()

    def _boot(self, scenario, sockets):
        guest = scenario.guest
        memory = int(guest.get("memory_mb", 1024))
        skip_idle = guest.get("skip_idle", False)
        words = [self.lab / "qemu/run", "-nographic", "-nodefaults", "-no-reboot", "-serial", "stdio", "-cpu", "max",
                 "-M", "q35,memory-backend=memory", "-m", f"{memory}M", "-smp", str(guest.get("processors", 1)),
                 "-object", f"memory-backend-memfd,id=memory,size={memory}M,share=on",
                 "-smbios", f"type=1,manufacturer=raidscope,product={guest.get('product', 'raidscope-lab')},serial=lab",
                 "-kernel", self.lab / "vmlinux", "-initrd", self.initramfs, "-append",
                 "console=ttyS0 quiet panic=-1 mitigations=off no_timer_check " + guest.get("kernel_arguments", "")]
        # Idle time is skipped: a lockup, which the driver sees after a minute, takes seconds then.
        words += ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off"] if skip_idle else ["-accel", "tcg,thread=multi"]
        for tag, path, read_only in (("usr", "/usr", True), ("build", self.build, True), ("source", self.source, True),
                                     ("results", self.results, False)):
            words += ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none,multidevs=remap"
                      + (",readonly=on" if read_only else "")]
        for number, socket in enumerate(sockets):
            words += ["-device", json.dumps({"driver": "vfio-user-pci", "socket": {"type": "unix", "path": str(socket)},
                                             "addr": f"{FIRST_SLOT + number:#x}"})]
        seconds = int(guest.get("seconds", 900))  # only so that a hang ends: a slow machine is no failure
        with open(self.results / "serial.log", "wb") as serial:
            qemu = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=serial,
                                    stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL="C"))
            try:
                code = qemu.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                qemu.kill()
                qemu.wait()
                raise Failed(f"the guest did not end within {seconds} s") from None
        if code != 0 or not (self.results / "kernel.log").exists():
            raise Failed(f"the guest ended early (QEMU's status {code})")
