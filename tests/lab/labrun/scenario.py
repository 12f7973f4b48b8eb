"""Scenarios: a machine description, what is done in the guest, and beside them what is expected of it."""
import copy
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent.parent
ANY_STEPS = HERE / "any-machine.json"
ANY_EXPECTED = HERE / "any-machine.expected.json"
SCENARIO_FIELDS = {"about", "machine", "machines", "change", "guest", "steps", "host"}
GUEST_FIELDS = {"vendor_tool", "skip_idle", "memory_mb", "processors", "kernel_arguments", "seconds", "hpsa_options", "quick",
                "product"}
STEP_FIELDS = {"name", "run", "seconds"}


class Wrong(Exception):
    """A file of the lab that cannot be understood."""


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from problem
    except ValueError as problem:
        raise Wrong(f"{path}: not JSON: {problem}") from problem


def merge(base, change):
    """The change put into the base: objects field by field, all else as a whole (RFC 7396, but null stays null)."""
    if not isinstance(base, dict) or not isinstance(change, dict):
        return copy.deepcopy(change)
    out = copy.deepcopy(base)
    for key, value in change.items():
        out[key] = merge(out[key], value) if key in out else copy.deepcopy(value)
    return out


def refuse_unknown(found, known, where):
    unknown = sorted(set(found) - known)
    if unknown:
        raise Wrong(f"{where}: no such field: {', '.join(unknown)}; there are {', '.join(sorted(known))}")


class Scenario:
    """One file of scenarios/, with its expectations."""

    def __init__(self, path):
        self._fill(path, path.name.removesuffix(".json"), read_json(path), path.with_name(path.stem + ".expected.json"))

    @classmethod
    def of_machine(cls, path):
        """The scenario that every machine must pass: described rightly, without the vendor tool and with it."""
        out = cls.__new__(cls)
        out._fill(path, path.stem, {"machine": read_json(path)}, ANY_EXPECTED)
        return out

    def _fill(self, path, name, document, expected):
        self.name = name
        self.path = path
        refuse_unknown(document, SCENARIO_FIELDS, path)
        self.about = document.get("about", "")
        self.guest = document.get("guest", {})
        refuse_unknown(self.guest, GUEST_FIELDS, f"{path}: guest")
        # One without steps of its own does what every machine must pass.
        self.steps = document.get("steps") or read_json(ANY_STEPS)["steps"]
        self.host_steps = document.get("host", [])
        for step in self.steps + self.host_steps:
            refuse_unknown(step, STEP_FIELDS, f"{path}: step {step.get('name')}")
            if not step.get("name") or not step.get("run"):
                raise Wrong(f"{path}: a step has a name and what to run")
        described = document.get("machines") or [document.get("machine")]
        self.machines = [self._machine(one) for one in described]
        if "change" in document:
            self.machines[0] = merge(self.machines[0], document["change"])
        self.expected = read_json(expected if "steps" in document or expected.exists() else ANY_EXPECTED)

    @property
    def is_timed(self):
        """Whether a card has service times."""
        return any("timing" in machine for machine in self.machines)

    def _machine(self, described):
        if isinstance(described, str):
            return read_json(HERE / "machines" / f"{described}.json")
        if isinstance(described, dict):
            return described
        raise Wrong(f"{self.path}: \"machine\" is a name in machines/ or a description")


def all_scenarios():
    """By name."""
    paths = sorted((HERE / "scenarios").glob("*.json"))
    return {path.name.removesuffix(".json"): path for path in paths if not path.name.endswith(".expected.json")}
