#!/usr/bin/env python3
"""Writes the machines of this folder: one capture bundle each, from the descriptions below.

    tests/machines/make.py            writes them all anew; `git diff` shows what changed

Every machine is made up. Layouts of the controllers' replies and of sysfs: docs/discovery.md and the
sources named in probe/base/ciss_replies.h. What must come out of each machine is written by hand in
expected.json, not here.
"""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
GIB = 1 << 30

# ---- bundle text


def content(data):
    """Text as lines behind a blank, other bytes as hex."""
    if isinstance(data, bytes):
        return "".join("x" + data[i:i + 32].hex() + "\n" for i in range(0, len(data), 32))
    out = "".join(" " + line + "\n" for line in data.split("\n"))
    if data.endswith("\n"):
        return out[:-2]
    return out + "-\n"


class Bundle:
    def __init__(self, taken_at):
        self.sections = [("capture", [("taken_at", taken_at), ("by", "tests/machines/make.py"), ("answers", "tree")], None)]

    def add(self, heading, data=None, **fields):
        self.sections.append((heading, list(fields.items()), data))

    def file(self, path, data):
        self.add("file " + path, data)

    def link(self, path, target):
        self.add("symlink " + path, target)

    def text(self):
        out = "raidscope-capture 1\n"
        for heading, fields, data in self.sections:
            out += f"== {heading}\n" + "".join(f".{name} {value}\n" for name, value in fields)
            if data is not None:
                out += content(data)
        return out + f"== end {len(self.sections)}\n"


# ---- replies


def at(size, *fields):
    """Bytes of a reply: (offset, bytes or struct format, value)."""
    out = bytearray(size)
    for offset, kind, value in fields:
        packed = value if kind == "b" else struct.pack(kind, value)
        out[offset:offset + len(packed)] = packed
    return bytes(out)


def words(text, size):
    return text.encode().ljust(size, b" ")


def swapped(hex_text):
    return bytes.fromhex(hex_text)


class Drive:
    """A physical drive. `kind`: "hdd" or "ssd"."""

    def __init__(self, bay, kind="hdd", interface="SAS", gb=300, rpm=10000, model="HP      EG0300FBDSP", serial="", firmware="HPD5",
                 role="data", rate=6.0, temperature=31, wear=None):
        self.__dict__.update(locals())

    @property
    def wwid(self):
        return "5000C5" + self.serial.encode().hex().upper()[-10:]


class Volume:
    """A logical drive. `raid` as the vendor tool prints it; `smart_path`: (setting, configured, enabled, driver), None where a
    teller has no word."""

    def __init__(self, number, raid, size, drives, uid, caching="Enabled", smart_path=(None, None, None, 0), status="OK", media="SAS",
                 strip_kib=256, array="A", bypass=None, parity=None):
        self.__dict__.update(locals())

    tolerance = property(lambda self: {"0": 0, "1": 2, "1+0": 2, "5": 3, "6": 5}[self.raid])


class Controller:
    def __init__(self, name, product, pci, ids, serial, firmware, volumes, cache=None, slot="0", embedded=True, driver="hpsa", host=0,
                 vendor="HP", lockup=0, tool_serial=None, hba_drives=(), spares=(), switch=True, tool_smart_path=True,
                 module_vpd=True, tool_cache=None):
        self.__dict__.update(locals())

    @property
    def dir(self):
        return f"sys/devices/pci0000:00/0000:00:02.0/{self.pci}"


class Cache:
    def __init__(self, mib, read, write, status=1, code=0, kind="Capacitors", count=1, good=1, failed=0, serial="PBKUC0BRH2E1Q0", configured=True):
        self.__dict__.update(locals())


def identify_controller(c):
    subsystem = int(c.ids[5 + 5 + 5:], 16) << 16 | int(c.ids[10:14], 16)
    return at(512, (0, "B", len(c.volumes)), (1, "<I", 0x5EED0001 + c.host), (5, "b", c.firmware[:4].encode()), (9, "b", c.firmware[:4].encode()),
              (26, "<I", subsystem), (189, "B", int(c.slot)), (190, "<H", 0), (196, "<I", 512),
              (200, "b", words(c.vendor, 8)), (208, "b", words(c.product, 16)))


def cache_configuration(c):
    k = c.cache
    if k is None:
        return at(512, (8, "B", 1), (16, "<I", 512), (20, "<H", 64))
    bitmap = sum(1 << (v.number - 1) for v in c.volumes if v.caching == "Enabled")
    available = k.read + k.write
    share = round(100 * k.read / available) if available else 0
    return at(512, (0, "<I", bitmap), (4, "<H", k.read), (6, "<H", k.write), (8, "B", 0 if k.configured else 1), (16, "<I", 512), (20, "<H", 64),
              (32, "<I", k.status | (1 << 16 if k.kind == "Capacitors" and k.count else 0)), (36, "<H", k.code), (38, "<H", k.mib),
              (40, "<H", k.count), (42, "<H", k.good), (208, "<H", k.failed), (210, "B", 1),
              (224, "B", share), (225, "B", 100 - share))


def controller_parameters(c, hba):
    return at(512, (14, "B", 1), (15, "B", 1), (123, "B", 8 if hba else 0))


def subsystem(c):
    return at(512, (0, "B", int(c.slot)), (4, "b", words("CZ3" + c.serial[-7:], 32)), (36, "b", bytes.fromhex("50014380" + "00" * 4)),
              (44, "b", words(c.serial, 32)), (76, "b", words(c.cache.serial if c.cache else "", 32)))


def identify_volume(v):
    return at(512, (0, "<H", 512), (2, "<I", min(v.size // 512, 0xFFFFFFFF)), (22, "B", v.tolerance), (94, "<Q", v.size // 512), (102, "b", swapped(v.uid)))


def volume_status(v):
    code = {"OK": 0, "Failed": 1, "Interim Recovery Mode": 3, "Recovering": 5}[v.status]
    return at(1024, (0, "B", code))


def identify_drive(d):
    port, box, bay = d.bay.split(":")
    more = {"data": 0x20, "spare": 0x60, "unassigned": 0, "hba": 0}[d.role]
    sectors = d.gb * 10**9 // 512
    rate = {1.5: 8, 3.0: 9, 6.0: 10, 12.0: 11}[d.rate]
    fields = [(2, "<H", 512), (4, "<I", min(sectors, 0xFFFFFFFF)), (12, "b", words(d.model, 40)), (52, "b", words(d.serial, 40)),
              (92, "b", words(d.firmware, 8)), (103, "B", 1), (104, "B", more | 1), (112, "b", port.encode()), (114, "B", int(box)), (115, "B", int(bay)),
              (116, "<I", 1 if d.kind == "ssd" else d.rpm), (120, "B", 2 if d.interface == "SAS" else 1), (122, "<Q", sectors),
              (194, "B", 1), (1224, "B", rate), (1792, "B", d.temperature), (1793, "B", 60), (1794, "B", d.temperature + 8)]
    if d.wear is not None:
        fields += [(1222, "<H", 1 << 10), (1858, "<H", 9000), (1860, "<H", d.wear * 100)]
    return at(2560, *fields)


def lun_of_volume(v):
    return struct.pack("<I", (v.number - 1) | 0x40000000) + bytes(4)


def lun_of_drive(n, drive):
    # BMIC number n: byte 6 its low half, byte 7 the bus, counted from 1. All but HBA-mode drives are masked.
    return bytes([0, 0, 0, 0 if drive.role == "hba" else 0xC0, 0, 0, n & 0xFF, (n >> 8) + 1])


def report_logical(c):
    body = b"".join(lun_of_volume(v) for v in c.volumes)
    return struct.pack(">I", len(body)) + bytes(4) + body


def report_physical(c, drives):
    body = b""
    for n, d in enumerate(drives):
        body += lun_of_drive(n, d) + bytes.fromhex(d.wwid) + bytes([2 if d.interface == "SAS" else 1, 0, 1, 0]) + struct.pack("<I", 0x1000 + n)
    return struct.pack(">I", len(body)) + bytes([2, 0, 0, 0]) + body


def raid_map(v, drives):
    handles = [drives.index(d) for d in v.drives]
    copies = 2 if v.raid in ("1", "1+0") else 1
    wide = len(handles) // copies
    head = at(64, (4, "<I", 512), (8, "<Q", v.size // 512), (18, "<H", v.strip_kib * 2), (20, "<Q", 0), (28, "<Q", v.size // 512 // max(wide, 1)),
              (36, "<H", wide), (38, "<H", 0), (40, "<H", 1), (42, "<H", copies))
    body = b"".join(struct.pack("<I", 0x1000 + h) + bytes(4) for h in handles)
    return at(64, (0, "b", head), (0, "<I", 64 + len(body))) + body


# ---- sysfs


def page(code, payload, kind=0):
    return bytes([kind, code, 0, len(payload)]) + payload


def naa(uid):
    return page(0x83, bytes([1, 3, 0, 16]) + bytes.fromhex(uid))


def inquiry(kind, vendor, product, revision):
    return bytes([kind, 0, 5, 2, 31, 0, 0, 2]) + words(vendor, 8) + words(product, 16) + words(revision, 4)


LEVELS = {"0": "0", "1": "1(+0)", "1+0": "1(+0)", "5": "5", "6": "6"}
PQI_LEVELS = {"0": "0", "1": "1(1+0)", "1+0": "1(1+0)", "5": "5", "6": "6"}


class Writer:
    def __init__(self, bundle):
        self.b = bundle
        self.sg = 0
        self.sd = 0

    def pci(self, directory, ids, driver):
        vendor, device, sub_vendor, sub_device = ids[0:4], ids[5:9], ids[10:14], ids[15:19]
        b = self.b
        address = directory.rsplit("/", 1)[1]
        b.link("sys/bus/pci/devices/" + address, "../../../" + directory[4:])
        for name, value in (("vendor", vendor), ("device", device), ("subsystem_vendor", sub_vendor), ("subsystem_device", sub_device)):
            b.file(f"{directory}/{name}", f"0x{value}\n")
        b.file(f"{directory}/class", "0x010400\n")
        b.file(f"{directory}/uevent", f"DRIVER={driver}\nPCI_ID={vendor}:{device}\n" if driver else f"PCI_ID={vendor}:{device}\n")
        if driver:
            b.link(f"{directory}/driver", f"../../../../bus/pci/drivers/{driver}")
            b.file(f"sys/bus/pci/drivers/{driver}/module/version", "\n")

    def scsi_device(self, c, hctl, kind, vendor, model, revision, attributes):
        b = self.b
        target = "target" + hctl.rsplit(":", 1)[0]
        directory = f"{c.dir}/host{c.host}/{target}/{hctl}"
        b.link("sys/bus/scsi/devices/" + hctl, "../../../" + directory[4:])
        b.file(f"{directory}/type", f"{kind}\n")
        b.file(f"{directory}/vendor", f"{vendor:<8}\n")
        b.file(f"{directory}/model", f"{model:<16}\n")
        b.file(f"{directory}/rev", f"{revision}\n")
        b.file(f"{directory}/state", "running\n")
        b.file(f"{directory}/inquiry", inquiry(kind, vendor, model, revision))
        for name, value in attributes.items():
            b.file(f"{directory}/{name}", value)
        sg = f"sg{self.sg}"
        self.sg += 1
        b.file(f"{directory}/scsi_generic/{sg}/dev", f"21:{self.sg - 1}\n")
        b.link("sys/class/scsi_generic/" + sg, f"../../{directory[4:]}/scsi_generic/{sg}")
        return directory, "/dev/" + sg

    def disk(self, directory, sectors, rotational=1):
        b = self.b
        name = "sd" + chr(ord("a") + self.sd)
        self.sd += 1
        where = f"{directory}/block/{name}"
        b.link("sys/class/block/" + name, f"../../{where[4:]}")
        b.link(f"{where}/device", f"../../../{directory.rsplit('/', 1)[1]}")
        b.file(f"{where}/uevent", f"DEVNAME={name}\nDEVTYPE=disk\n")
        b.file(f"{where}/size", f"{sectors}\n")
        for key, value in (("rotational", rotational), ("scheduler", "[none] mq-deadline"), ("nr_requests", 1013), ("read_ahead_kb", 128),
                           ("logical_block_size", 512), ("physical_block_size", 512), ("max_sectors_kb", 4096), ("write_cache", "write through")):
            b.file(f"{where}/queue/{key}", f"{value}\n")
        return "/dev/" + name

    def controller(self, c, bmic=True):
        b = self.b
        pqi = c.driver == "smartpqi"
        self.pci(c.dir, c.ids, c.driver)
        b.file(f"sys/module/{c.driver}/version", "2.1.30-031\n" if pqi else "3.4.20-200\n")
        host = f"{c.dir}/host{c.host}/scsi_host/host{c.host}"
        b.link(f"sys/class/scsi_host/host{c.host}", f"../../{host[4:]}")
        b.link(f"{host}/device", f"../../../host{c.host}")
        b.file(f"{host}/proc_name", c.driver + "\n")
        if pqi:
            for name, value in (("firmware_version", c.firmware), ("model", c.product), ("serial_number", c.serial), ("vendor", c.vendor),
                                ("driver_version", "2.1.30-031"), ("lockup_action", "[none] reboot panic"), ("enable_r5_writes", "0"), ("enable_r6_writes", "0")):
                b.file(f"{host}/{name}", value + "\n")
        else:
            for name, value in (("firmware_revision", c.firmware[:4]), ("transport_mode", "performant"), ("resettable", "1"), ("legacy_board", "0"),
                                ("lockup_detected", f"ld={c.lockup}"), ("ctlr_num", str(c.host)),
                                ("hp_ssd_smart_path_status", "HP SSD Smart Path " + ("enabled" if c.switch else "disabled"))):
                b.file(f"{host}/{name}", value + "\n")
        _, node = self.scsi_device(c, f"{c.host}:0:0:0", 12, c.vendor, c.product, c.firmware[:4],
                                   {"raid_level": "N/A\n" if not pqi else "N/A\n", "lunid": "0x0000000000000000\n"})
        drives = [d for v in c.volumes for d in v.drives] + list(c.spares) + list(c.hba_drives)
        drives = list(dict.fromkeys(drives))
        for v in c.volumes:
            self.volume(c, v, pqi)
        for n, d in enumerate(c.hba_drives):
            directory, _ = self.scsi_device(c, f"{c.host}:0:{n + 1}:0", 0, *(d.model.split(None, 1)), d.firmware,
                                            {"raid_level": "N/A\n", "sas_address": f"0x{d.wwid.lower()}\n", "wwid": f"naa.{d.wwid.lower()}\n",
                                             "path_info": f"[{c.host}:0:{n + 1}:0]        Direct-Access PORT: {d.bay[:2]} BOX: {d.bay.split(':')[1]} BAY: {d.bay.split(':')[2]} Active\n",
                                             "vpd_pg80": page(0x80, d.serial.encode()), "vpd_pgb1": page(0xB1, bytes([0, 1]) + bytes(58))})
            d.device = self.disk(directory, d.gb * 10**9 // 512, 0)
        if bmic and not c.lockup:
            self.bmic(c, node, drives)

    def volume(self, c, v, pqi):
        b = self.b
        setting, configured, enabled, driver = v.smart_path
        attributes = {"raid_level": ("RAID-" + PQI_LEVELS[v.raid] if pqi else "RAID " + LEVELS[v.raid]) + "\n",
                      "lunid": "0x" + lun_of_volume(v).hex() + "\n", "unique_id": v.uid + "\n",
                      ("ssd_smart_path_enabled" if pqi else "hp_ssd_smart_path_enabled"): f"{driver}\n",
                      "vpd_pg80": page(0x80, c.serial.encode()), "vpd_pg83": naa(v.uid)}
        if pqi and v.bypass is not None:
            attributes["raid_bypass_cnt"] = f"0x{v.bypass:x}\n"
        pages = bytes([0x00, 0x80, 0x83, 0xC1] + ([0xC2] if configured is not None else []) + [0xC3])
        attributes["vpd_pg0"] = page(0x00, pages)
        if v.status == "Failed":
            return  # the driver makes no node for it
        directory, _ = self.scsi_device(c, f"{c.host}:1:0:{v.number - 1}", 0, c.vendor, "LOGICAL VOLUME", c.firmware[:4], attributes)
        v.device = self.disk(directory, v.size // 512)
        self.vpd(v.device, 0xC1, at(60, (4, "B", v.tolerance)))
        if configured is not None:
            self.vpd(v.device, 0xC2, at(60, (0, "B", configured | enabled << 1)))
        status = {"OK": 0, "Interim Recovery Mode": 3, "Recovering": 5}[v.status]
        self.vpd(v.device, 0xC3, at(12, (0, "B", status)))

    def vpd(self, node, code, payload):
        self.b.add(f"scsi 1201{code:02x}004000 64 {node}", page(code, payload)[:64])

    def bmic(self, c, node, drives):
        def reply(question, number, data):
            self.b.add(f"ciss {question} {number} {node}", data, command_status=0, scsi_status=0)

        domain, bus, rest = c.pci.split(":")
        device, function = rest.split(".")
        board = int(c.ids[15:19], 16) << 16 | int(c.ids[10:14], 16)
        reply("pci_info", 0, struct.pack("<BBHI", int(bus, 16), int(device, 16) << 3 | int(function), int(domain, 16), board))
        reply("identify_controller", 0, identify_controller(c))
        reply("cache_configuration", 0, cache_configuration(c))
        reply("controller_parameters", 0, controller_parameters(c, bool(c.hba_drives)))
        reply("subsystem_information", 0, subsystem(c))
        reply("report_logical", 0, report_logical(c))
        reply("report_physical", 0, report_physical(c, drives))
        for v in c.volumes:
            reply("identify_logical_drive", v.number - 1, identify_volume(v))
            reply("logical_drive_status", v.number - 1, volume_status(v))
            if v.smart_path[3]:
                reply("raid_map", v.number - 1, raid_map(v, drives))
        for n, d in enumerate(drives):
            reply("identify_physical_drive", n, identify_drive(d))

    def host(self, name, kernel, product, bios):
        b = self.b
        b.file("proc/sys/kernel/hostname", name + "\n")
        b.file("proc/sys/kernel/osrelease", kernel + "\n")
        b.file("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
        b.file("proc/cpuinfo", "".join(f"processor\t: {n}\nmodel name\t: Intel(R) Xeon(R) CPU E5-2620 0 @ 2.00GHz\nflags\t\t: fpu sse\n\n" for n in range(4)))
        b.file("proc/meminfo", "MemTotal:       32829052 kB\nMemFree:        30000000 kB\n")
        b.file("sys/class/dmi/id/sys_vendor", "HP\n")
        b.file("sys/class/dmi/id/product_name", product + "\n")
        b.file("sys/class/dmi/id/bios_version", bios + "\n")
        b.file("sys/module/sg/refcnt", "0\n")

    def tool(self, text, status=0):
        if text is None:
            self.b.add("tool show_config_detail", None, error="not_found", message="no vendor tool is installed")
        else:
            self.b.add("tool show_config_detail", text, tool="/usr/sbin/ssacli", command="/usr/sbin/ssacli ctrl all show config detail",
                       exit_status=status, duration_ms=4210)


# ---- what the vendor tool says


def printed(size):
    for unit, bytes_ in (("TB", 1 << 40), ("GB", 1 << 30), ("MB", 1 << 20)):
        if size >= bytes_:
            return f"{size / bytes_:.1f} {unit}"
    return f"{size} B"


def tool_text(*controllers, spelling="HP SSD Smart Path"):
    out = "\n"
    for c in controllers:
        where = f"in Slot {c.slot}" + (" (Embedded)" if c.embedded else "")
        out += f"{c.name} {where}\n"
        lines = ["Bus Interface: PCI", f"Slot: {c.slot}", f"Serial Number: {c.serial}"]
        k = c.tool_cache or c.cache
        if k:
            lines.append(f"Cache Serial Number: {k.serial}")
        lines += ["RAID 6 (ADG) Status: Enabled", "Controller Status: OK", "Hardware Revision: B", f"Firmware Version: {c.firmware}",
                  "Rebuild Priority: Medium", "Expand Priority: Medium", "Surface Scan Delay: 3 secs", "Surface Scan Mode: Idle",
                  "Queue Depth: Automatic", "Monitor and Performance Delay: 60  min", "Elevator Sort: Enabled",
                  "Degraded Performance Optimization: Disabled", "Inconsistency Repair Policy: Disabled", "Wait for Cache Room: Disabled",
                  f"Cache Board Present: {'True' if k else 'False'}"]
        if k:
            used = k.configured and any(v.caching == "Enabled" for v in c.volumes)
            lines.append("Cache Status: " + ("Not Configured" if not used else
                                             "OK" if k.status & 1 else
                                             "Temporarily Disabled" if k.status & 2 else "Permanently Disabled"))
            if used:
                share = round(100 * k.read / (k.read + k.write))
                lines.append(f"Cache Ratio: {share}% Read / {100 - share}% Write")
            lines += ["Drive Write Cache: Disabled", f"Total Cache Size: {printed(k.mib << 20)}",
                      f"Total Cache Memory Available: {printed((k.read + k.write) << 20)}", "No-Battery Write Cache: Disabled"]
            if k.count:
                lines += [f"Cache Backup Power Source: {k.kind}", f"Battery/Capacitor Count: {k.count}",
                          "Battery/Capacitor Status: " + ("OK" if not k.failed else "Failed (Replace Batteries/Capacitors)")]
            else:
                lines.append("Battery/Capacitor Count: 0")
        else:
            lines.append("Drive Write Cache: Disabled")
        lines += ["SATA NCQ Supported: True", "Number of Ports: 2 Internal only", f"Driver Name: {c.driver}", "Driver Version: 3.4.20"]
        if c.tool_smart_path:
            lines.append("Driver Supports HP SSD Smart Path: True")
        lines.append(f"PCI Address (Domain:Bus:Device.Function): {c.pci.upper()}")
        out += "".join(f"   {line}\n" for line in lines) + "\n"
        arrays = {}
        for v in c.volumes:
            arrays.setdefault(v.array, []).append(v)
        for letter, volumes in arrays.items():
            ssd = volumes[0].drives[0].kind == "ssd"
            out += f"   Array: {letter}\n      Interface Type: {'Solid State ' if ssd else ''}{volumes[0].drives[0].interface}\n      Unused Space: 0  MB\n"
            out += "      Status: OK\n      Array Type: Data\n"
            if volumes[0].smart_path[0] is not None:
                out += f"      {spelling}: {'enable' if volumes[0].smart_path[0] else 'disable'}\n"
            out += "\n"
            for v in volumes:
                wide = len(v.drives) // (2 if v.raid in ("1", "1+0") else 1) - {"5": 1, "6": 2}.get(v.raid, 0)
                out += f"      Logical Drive: {v.number}\n"
                lines = [f"Size: {printed(v.size)}", f"Fault Tolerance: {v.raid}", "Heads: 255", "Sectors Per Track: 32", "Cylinders: 65535",
                         f"Strip Size: {v.strip_kib} KB", f"Full Stripe Size: {v.strip_kib * wide} KB", f"Status: {v.status}", f"Caching:  {v.caching}"]
                if v.parity:
                    lines.append(f"Parity Initialization Status: {v.parity}")
                lines.append(f"Unique Identifier: {v.uid}")
                if getattr(v, "device", None):
                    lines += [f"Disk Name: {v.device} ", "Mount Points: None"]
                lines.append(f"Logical Drive Label: A{v.number:02d}{c.serial}")
                method = "HP SSD Smart Path" if v.smart_path[0] else "Controller Cache" if v.caching == "Enabled" else "All disabled"
                lines += ["Drive Type: Data", f"LD Acceleration Method: {method}"]
                out += "".join(f"         {line}\n" for line in lines) + "\n"
            for d in dict.fromkeys(d for v in volumes for d in v.drives):
                out += drive_text(d, "Data Drive")
            for d in c.spares:
                out += drive_text(d, "Spare Drive")
        if c.hba_drives:
            out += "   HBA Drives\n\n" + "".join(drive_text(d, "HBA Mode Drive") for d in c.hba_drives)
        out += "\n"
    return out


def drive_text(d, role):
    port, box, bay = d.bay.split(":")
    lines = [f"Port: {port}", f"Box: {box}", f"Bay: {bay}", "Status: OK", f"Drive Type: {role}",
             f"Interface Type: {'Solid State ' if d.kind == 'ssd' else ''}{d.interface}", f"Size: {d.gb} GB"]
    if d.kind == "hdd":
        lines.append(f"Rotational Speed: {d.rpm}")
    lines += [f"Firmware Revision: {d.firmware}", f"Serial Number: {d.serial}", f"WWID: {d.wwid}", f"Model: {d.model}",
              f"Current Temperature (C): {d.temperature}", f"Maximum Temperature (C): {d.temperature + 8}"]
    if d.wear is not None:
        lines.append(f"Usage remaining: {100 - d.wear:.2f}%")
    lines += ["PHY Count: 1", f"PHY Transfer Rate: {d.rate}Gbps"]
    return f"      physicaldrive {d.bay}\n" + "".join(f"         {line}\n" for line in lines) + "\n"


# ---- the machines

P410I, P420I, P420 = "103c:323a/103c:3245", "103c:323b/103c:3354", "103c:323b/103c:3351"
P440AR, H240, P408IA = "103c:3239/103c:21c0", "103c:3239/103c:21c7", "9005:028f/103c:0602"


def uid(n):
    return f"600508B1001C{n:04X}A0B1C2D3E4F5{n:04X}"


def disks(count, prefix, **more):
    return [Drive(f"1I:1:{n + 1}" if n < 4 else f"2I:1:{n + 1}", serial=f"{prefix}{n:03d}", **more) for n in range(count)]


def ssds(count, prefix, **more):
    return disks(count, prefix, kind="ssd", interface="SATA", gb=480, rpm=0, model="ATA     VK0480GDJXU", firmware="HPG0", wear=3, **more)


def p410i(cache, volumes=None):
    drives = disks(4, "EC0A5N7P")
    volumes = volumes or [Volume(1, "1+0", 600 * 10**9, drives, uid(1), caching="Enabled" if cache else "Disabled")]
    return Controller("Smart Array P410i", "P410i", "0000:05:00.0", P410I, "50014380A1B2C3D0", "6.64", volumes, cache=cache, tool_smart_path=False)


def p420i(smart_path, caching="Disabled", driver=None, drives=None, **more):
    on = int(smart_path)
    drives = drives or ssds(4, "BTWL3C0D")
    volume = Volume(1, "1+0", 960 * 10**9, drives, uid(0x42), caching=caching, smart_path=(on, on, on, on if driver is None else driver))
    return Controller("Smart Array P420i", "P420i", "0000:0d:00.0", P420I, "001438031D2E3F0", "8.32", [volume],
                      cache=Cache(1024, 81, 735, configured=caching == "Enabled"), **more)


class Machine:
    def __init__(self, name, tool=True, bmic=True, product="ProLiant DL380p Gen8", **more):
        self.__dict__.update(locals())
        self.bundle = Bundle("2026-11-30T12:00:00Z")
        self.writer = Writer(self.bundle)
        self.writer.host(name.replace("-", "")[:12], "6.1.0-28-amd64", product, "P70")

    def write(self):
        (HERE / f"{self.name}.capture").write_text(self.bundle.text())


def machine(name, *controllers, tool=True, bmic=True, text=None, **more):
    m = Machine(name, **more)
    for c in controllers:
        m.writer.controller(c, bmic)
    m.writer.tool(text or tool_text(*controllers) if tool else None)
    m.write()


def main():
    machine("p410i-no-module", p410i(None), product="ProLiant DL380 G7")
    machine("p410i-module", p410i(Cache(512, 128, 272, kind="Batteries")), product="ProLiant DL380 G7")
    machine("p410i-module-no-tool", p410i(Cache(512, 128, 272, kind="Batteries")), tool=False, product="ProLiant DL380 G7")
    machine("p420i-smart-path-on", p420i(True))
    machine("p420i-smart-path-off", p420i(False, caching="Enabled"))
    machine("p420i-smart-path-on-no-tool", p420i(True), tool=False)
    many = ssds(24, "PHWL4E1F")
    wide = Controller("Smart Array P420", "P420", "0000:07:00.0", P420, "PDSXH0ARH4F0A1", "8.32",
                      [Volume(1, "1+0", 5760 * 10**9, many, uid(0x24), caching="Disabled", smart_path=(1, 1, 1, 1))],
                      cache=Cache(2048, 163, 1469, configured=False), slot="2", embedded=False)
    machine("p420-24-ssds", wide, tool=False)
    spare = Drive("2I:1:5", serial="W0H1S9Z8", role="spare")
    degraded = Controller("Smart Array P440ar", "P440ar", "0000:03:00.0", P440AR, "PDNLH0BRH7A0B1", "7.20",
                          [Volume(1, "5", 900 * 10**9, disks(4, "S0K2G3H4"), uid(0x44), status="Recovering", caching="Enabled")],
                          cache=Cache(2048, 163, 1469, kind="Batteries"), spares=[spare])
    machine("p440ar-recovering", degraded, tool=False, product="ProLiant DL380 Gen9")
    pqi = Controller("HPE Smart Array P408i-a SR Gen10", "P408i-a", "0000:5c:00.0", P408IA, "PEYHB0ARH8C0D1", "7.11",
                     [Volume(1, "0", 960 * 10**9, ssds(2, "S3F4NX0K"), uid(0x48), caching="Disabled", smart_path=(1, 1, 1, 1), bypass=0x1F40)],
                     cache=Cache(2048, 200, 1700, kind="Batteries", configured=False), driver="smartpqi", vendor="HPE")
    machine("p408ia-smartpqi", pqi, tool=False, product="ProLiant DL380 Gen10")
    hba = Controller("Smart HBA H240", "H240", "0000:08:00.0", H240, "PDNNK0ARH9E0F1", "7.00", [], slot="1", embedded=False,
                     hba_drives=ssds(2, "S2T3UY7V", role="hba"))
    machine("h240-hba", hba, tool=False, product="ProLiant DL360 Gen9")
    first = p420i(False, caching="Enabled", host=0)
    second = Controller("Smart Array P420", "P420", "0000:0a:00.0", P420, "PDSXH0ARH5G0B2", "8.00",
                        [Volume(1, "5", 1200 * 10**9, [Drive(f"1E:1:{n}", serial=f"6SJ4K5L6{n:02d}") for n in range(1, 6)], uid(0x52), caching="Enabled")],
                        cache=Cache(1024, 81, 735, status=4, code=18, failed=1, good=0), slot="3", embedded=False, host=1)
    machine("two-controllers", first, second)
    locked = p420i(False, caching="Enabled", lockup=-1)
    machine("p420i-locked-up", locked, tool=False)
    lags = p420i(True, driver=0)
    lags.tool_cache = None
    machine("p420i-tool-and-driver-disagree", lags)
    no_smart_array()
    cciss()


def no_smart_array():
    m = Machine("no-smart-array", product="PowerEdge R630")
    m.writer.pci("sys/devices/pci0000:00/0000:00:1f.2", "8086:8d62/1028:0600", "ahci")
    m.writer.tool(None)
    m.write()


def cciss():
    m = Machine("p400-cciss", product="ProLiant DL380 G5")
    b = m.bundle
    pci = "sys/devices/pci0000:00/0000:00:04.0/0000:06:00.0"
    m.writer.pci(pci, "103c:3230/103c:3234", "cciss")
    b.file("sys/module/cciss/version", "3.6.28\n")
    b.file("proc/driver/cciss/cciss0", "cciss0: HP Smart Array P400 Controller\nBoard ID: 0x3234103c\nFirmware Version: 7.24\nIRQ: 66\nLogical drives: 1\n"
           "Current Q depth: 0\n\ncciss/c0d0:\t      146.77GB\tRAID 1(1+0)\n")
    for name, value in (("transport_mode", "performant"), ("resettable", "1"), ("c0d0/unique_id", "600508B100104A4B4C4D4E4F50510001"),
                        ("c0d0/raid_level", "RAID 1(1+0)"), ("c0d0/lunid", "0x0000004000000000"), ("c0d0/vendor", "HP"), ("c0d0/model", "LOGICAL VOLUME"),
                        ("c0d0/rev", "7.24"), ("c0d0/usage_count", "1")):
        b.file(f"{pci}/cciss0/{name}", value + "\n")
    where = f"{pci}/cciss0/c0d0/block/cciss!c0d0"
    b.link("sys/class/block/cciss!c0d0", f"../../{where[4:]}")
    b.file(f"{where}/uevent", "DEVNAME=cciss/c0d0\nDEVTYPE=disk\n")
    b.file(f"{where}/size", "286656480\n")
    b.file(f"{where}/queue/scheduler", "noop deadline [cfq]\n")
    b.file(f"{where}/queue/rotational", "1\n")
    m.writer.tool(None)
    m.write()


if __name__ == "__main__":
    main()
