"""Whether an inventory tells the truth of the cards that the guest had: each fact that it tells must be the card's, and
those that can be known must be told. And whether two inventories of one machine agree."""

# What printed sizes may be off by: one decimal of GB or TB.
ROUNDED = 0.06
# What the vendor tool alone can tell.
TOOL_ONLY = {"caching", "strip_bytes", "number", "label", "parity_init", "disk_count", "member_drives", "raid"}
CANDIDATES = {"0": ["0"], "1": ["1", "1+0"], "1+0": ["1", "1+0"], "4": ["4"], "5": ["5", "50"], "50": ["5", "50"],
              "5+1": ["5+1"], "6": ["6", "60"], "60": ["6", "60"], "1adm": ["1adm", "10adm"], "10adm": ["1adm", "10adm"]}


def cache_facts(state):
    cache = state["cache"]
    if cache is None:
        return {"present": False, "status": None, "size_bytes": None}
    used = any(drive["caching"] for array in state["arrays"] for drive in array["logical_drives"])
    trouble = cache["status"] in ("temporarily_disabled", "permanently_disabled")
    status = cache["status"] if trouble else "ok" if used else "not_configured"
    facts = {"present": True, "status": status, "serial": cache["serial"]}
    if status != "not_configured":
        facts |= {"size_bytes": cache["size"], "ratio": cache["ratio"] if used else None}
        # A battery that the card calls bad and one that only charges look alike while the cache is off for it.
        if cache["backup"]["kind"]:
            facts |= {"backup/kind": cache["backup"]["kind"], "backup/status": cache["backup"]["status"],
                      "backup/count": cache["backup"]["count"]}
    return facts


def controller_facts(state):
    facts = {"model": state["model"], "slot": state["slot"], "serial": state["serial"], "firmware": state["firmware"],
             "mode": state["mode"], "driver/name": "hpsa"}
    return facts | {f"cache/{key}": value for key, value in cache_facts(state).items()}


def volume_facts(state, array, drive):
    return {"size_bytes": drive["size"], "status": drive["status"], "number": drive["number"], "raid": drive["raid"],
            "strip_bytes": drive["strip"], "caching": "enabled" if drive["caching"] else "disabled",
            "label": drive["label"] or None, "disk_count": len(array["drives"]),
            "member_drives": sorted(one["bay"] for one in array["drives"]),
            "smart_path/array_setting": {True: "enabled", False: "disabled", None: None}[array["smart_path"]]}


def drive_facts(drive, role):
    facts = {"status": drive["status"], "role": role, "media": drive["media"], "interface": drive["interface"],
             "size_bytes": drive["size"], "serial": drive["serial"], "firmware": drive["firmware"], "wwid": drive["wwid"],
             "model": drive["model"], "vendor": drive["vendor"], "temperature_c": drive["temperature_c"]}
    return facts | ({"rpm": drive["rpm"]} if drive["media"] == "hdd" else {})


def value_at(document, path):
    for part in path.split("/"):
        document = document.get(part) if isinstance(document, dict) else None
    return sorted(document) if isinstance(document, list) else document


def same(path, wanted, found, holder):
    """Whether a told value is the card's, as far as it was told exactly."""
    if path.endswith("size_bytes") and isinstance(wanted, int) and isinstance(found, int):
        exact = value_at(holder, path.replace("size_bytes", "size_exact"))
        return abs(wanted - found) <= (ROUNDED * wanted if exact is False else 0)
    if path == "status" and isinstance(found, str) and isinstance(wanted, str):
        return found.split(",")[0] == wanted
    return wanted == found


def compare(facts, found, where, needed):
    """Lines: what is told wrongly; what of `needed` is not told."""
    for path, wanted in facts.items():
        told = value_at(found, path)
        if told in (None, []):
            if wanted is not None and needed(path):
                yield f"{where}: {path} is not told, and is {wanted!r}"
        elif not same(path, wanted, told, found):
            yield f"{where}: {path} is told as {told!r}, and is {wanted!r}"
    if found.get("raid") is None and "raid" in facts and found.get("raid_candidates") != CANDIDATES[facts["raid"]]:
        yield f"{where}: raid candidates are {found.get('raid_candidates')}, and it is {facts['raid']}"


def volumes_of(controller):
    return controller["logical_drives"] + [drive for array in controller["arrays"] for drive in array["logical_drives"]]


def drives_of(controller):
    return (controller["physical_drives"] + controller["unassigned_drives"] + controller["hba_drives"]
            + [drive for array in controller["arrays"] for drive in array["physical_drives"]])


def check_controller(state, controller, with_tool):
    name = state["model"]

    def needed(path):
        if path == "mode":  # old dialects do not tell it, and BMIC is not asked where there is a tool
            return not with_tool
        if path == "cache/status" and state["cache"] and state["cache"]["ratio"]["write"] == 0:
            return with_tool  # BMIC says of the write cache alone that it is on or off
        return with_tool or path not in TOOL_ONLY

    yield from compare(controller_facts(state), controller, name, needed)
    volumes = {drive["unique_id"]: drive for drive in volumes_of(controller)}
    for array in state["arrays"]:
        for drive in array["logical_drives"]:
            found = volumes.pop(drive["unique_id"], None)
            where = f"{name} LD {drive['number']}"
            if found is None:
                yield f"{where}: not there"
                continue
            yield from compare(volume_facts(state, array, drive), found, where, needed)
    yield from (f"{name}: a logical drive that there is not: {one}" for one in volumes)
    drives = {drive["bay"]: drive for drive in drives_of(controller)}
    roles = [("data", one) for array in state["arrays"] for one in array["drives"]]
    roles += [("spare", one) for array in state["arrays"] for one in array["spares"]]
    roles += [("unassigned", one) for one in state["unassigned"]] + [("hba", one) for one in state["hba_drives"]]
    for role, drive in roles:
        found = drives.pop(drive["bay"], None)
        if drive["status"] == "Missing":
            if found is not None and found["status"] == "OK":
                yield f"{name} {drive['bay']}: told as OK, and was pulled"
        elif found is None:
            yield f"{name} {drive['bay']}: not there"
        else:
            yield from compare(drive_facts(drive, role), found, f"{name} {drive['bay']}", needed)
    yield from (f"{name}: a drive that there is not: {one}" for one in drives)


def check(states, inventory, with_tool):
    """Lines of words on what the inventory has wrongly."""
    found = {controller["serial"]: controller for controller in inventory["controllers"]}
    for state in states:
        controller = found.pop(state["serial"], None)
        if controller is None:
            yield f"no controller with the serial number {state['serial']}"
        else:
            yield from check_controller(state, controller, with_tool)
    yield from (f"a controller that there is not: {one}" for one in found)


def shared_facts(inventory):
    """{(entity, fact): (value, entity)} of what an inventory tells."""
    out = {}

    def add(key, holder, skip=()):
        for name, value in holder.items():
            if name in skip or value is None or value == []:
                continue
            if isinstance(value, dict):
                add(key + (name,), value)
            else:
                out[key + (name,)] = (value, holder)

    apart = ("arrays", "logical_drives", "physical_drives", "unassigned_drives", "hba_drives", "enclosures", "extra",
             "fingerprint", "tag", "settings", "block_device")
    for controller in inventory["controllers"]:
        add((controller["pci_address"],), controller, apart)
        for drive in volumes_of(controller):
            add((controller["pci_address"], drive["unique_id"]), drive, apart)
        for drive in drives_of(controller):
            add((controller["pci_address"], drive["bay"]), drive, apart)
    return out


# What is said of a value and not by it, what follows from facts that one of the two lacks, and names of one path alone.
ABOUT_VALUES = {"size_exact", "size_text", "available_exact", "available_text", "status_text", "effective_write_cache",
                "effective_write_cache_reason", "io_path", "raid_candidates"}


def differences(one, other):
    """Lines: facts that both tell and that are not the same."""
    first, second = shared_facts(one), shared_facts(other)
    for key in sorted(set(first) & set(second)):
        (a, holder), (b, other_holder) = first[key], second[key]
        if key[-1] in ABOUT_VALUES:
            continue
        if key[-1].endswith("_bytes"):
            rounded = holder.get(key[-1].replace("_bytes", "_exact")) is False or \
                other_holder.get(key[-1].replace("_bytes", "_exact")) is False
            if abs(a - b) <= (ROUNDED * max(a, b) if rounded else 0):
                continue
        if a != b:
            yield f"{'/'.join(key)}: {a!r} and {b!r}"
