"""Results in the form that continuous integration reads."""
import dataclasses
import xml.etree.ElementTree as tree


@dataclasses.dataclass
class Case:
    name: str
    seconds: float
    failures: list
    skipped: str = ""  # why; empty when it ran


def write(path, cases):
    suite = tree.Element("testsuite", name="lab", tests=str(len(cases)), failures=str(sum(bool(case.failures) for case in cases)))
    for case in cases:
        element = tree.SubElement(suite, "testcase", name=case.name, classname="lab", time=f"{case.seconds:.1f}")
        if case.failures:
            tree.SubElement(element, "failure", message=case.failures[0][:200]).text = "\n".join(case.failures)
        if case.skipped:
            tree.SubElement(element, "skipped", message=case.skipped)
    path.parent.mkdir(parents=True, exist_ok=True)
    tree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
