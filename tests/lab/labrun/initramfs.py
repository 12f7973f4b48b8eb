"""The guest's first file system: a static busybox, the modules in the order in which they load, and init."""
import gzip
import pathlib
import re
import stat

MODULES = ["virtio_pci", "9pnet_virtio", "9p", "sg", "sd_mod", "hpsa"]


def dependencies(module):
    """Names in a module's own list of what it needs."""
    found = re.search(rb"\0depends=([^\0]*)\0", module.read_bytes())
    return [name for name in found[1].decode().split(",") if name] if found else []


def load_order(kernel, wanted):
    """Files of the modules `wanted` and of all that they need, what is needed first. What is built in has no file."""
    files = {path.stem.replace("-", "_"): path for path in kernel.glob("lib/modules/*/kernel/**/*.ko")}
    order = []

    def add(name):
        path = files.get(name.replace("-", "_"))
        if path is None or path in order:
            return
        for needed in dependencies(path):
            add(needed)
        order.append(path)

    for name in wanted:
        add(name)
    missing = [name for name in ("hpsa", "sg", "9p") if name not in files]
    if missing:
        raise RuntimeError(f"the kernel in {kernel} has no module {', '.join(missing)}")
    return order


class Archive:
    """A cpio archive in the format that the kernel unpacks ("newc")."""

    def __init__(self):
        self._parts = []
        self._number = 0

    def add(self, name, mode, data=b""):
        self._number += 1
        fields = [self._number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        self._parts += [head + b"\0" * (-len(head) % 4), data + b"\0" * (-len(data) % 4)]

    def folder(self, name):
        self.add(name, stat.S_IFDIR | 0o755)

    def file(self, name, data):
        self.add(name, stat.S_IFREG | 0o755, data)

    def finished(self):
        self.add("TRAILER!!!", 0)
        return gzip.compress(b"".join(self._parts), compresslevel=1)


def build(lab, init):
    """The archive's bytes. `lab`: the folder that setup filled; `init`: the script to begin with."""
    archive = Archive()
    for folder in ("bb", "dev", "proc", "sys", "run", "tmp", "root", "etc", "usr", "build", "source", "results", "modules"):
        archive.folder(folder)
    archive.file("bb/busybox", (lab / "tools/bin/busybox").read_bytes())
    order = load_order(lab / "kernel", MODULES)
    for number, path in enumerate(order):
        archive.file(f"modules/{number:02}-{path.name}", path.read_bytes())
    archive.file("init", pathlib.Path(init).read_bytes())
    return archive.finished()
