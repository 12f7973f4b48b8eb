#!/usr/bin/env python3
"""check_layers.py ROOT: fails when an #include points up the layers, when pure code touches the operating
system, or when the tree holds a folder that the design does not know."""
import pathlib
import re
import sys

LAYERS = ["probe", "controllers", "workloads", "reports", "cli"]  # each may include itself and those before it
IO_ALLOWED = ("probe/os/", "probe/capture/", "controllers/settings/apply/", "workloads/engines/", "workloads/run/",
              "workloads/experiment/", "reports/store/", "cli/")
IO = re.compile(
    r'#include\s+<(unistd\.h|fcntl\.h|sys/.*|fstream|filesystem|thread|libudev\.h|scsi/.*|liburing\.h|libaio\.h|'
    r'sqlite3\.h|SQLiteCpp/.*|linux/.*|blkid/.*|random|ctime|iostream)>'
    r'|_clock::now\(|\bgetenv\(|std::random_device|\bsystem\(|\bpopen\(|\bfopen\(|std::time\(')
TOP = set(LAYERS) | {"tests", "third_party", "docs", "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE",
                     "quickstart", "build"}


def twice_defined(root: pathlib.Path) -> list:
    """Types of one name in two headers are one type to the linker: an undefined behaviour that compiles."""
    seen, bad = {}, []
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.h")):
            text = path.read_text(encoding="utf-8")
            names = re.findall(r"^namespace ([\w:]+) \{|^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^{;]*)? \{", text, re.M)
            space = ""
            for opened, name in names:
                space = opened or space
                if name and (other := seen.setdefault((space, name), path)) != path:
                    bad.append(f"{path.relative_to(root)}: {space}::{name} is also defined in {other.relative_to(root)}")
    return bad


def main(root: pathlib.Path) -> int:
    bad = []
    for i, layer in enumerate(LAYERS):
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                include = re.match(r'\s*#include "(\w+)/', line)
                if include and include[1] in LAYERS[i + 1:]:
                    bad.append(f"{name}:{number}: {layer} may not include {include[1]}")
                if IO.search(line) and not name.startswith(IO_ALLOWED):
                    bad.append(f"{name}:{number}: I/O in pure code: {line.strip()}")
    bad += twice_defined(root)
    for entry in sorted(root.iterdir()):
        if not entry.name.startswith(".") and entry.name not in TOP:
            bad.append(f"{entry.name}: not a part that docs/design.md names")
    print("\n".join(bad) or "layers hold")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
