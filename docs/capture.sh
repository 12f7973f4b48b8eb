#!/bin/sh
# capture.sh: saves what a machine says of its Smart Arrays as one text that raidscope reads:
#
#   sh capture.sh > machine.capture         as root, for the vendor tool needs it
#   raidscope probe --from machine.capture  on any machine
#
# For machines where raidscope itself cannot run: old distributions, ESXi, rescue systems. POSIX sh with cat, ls, sed,
# tr and what else coreutils or busybox have. It reads, asks the vendor tool for its report, and writes to standard output
# alone. Serial numbers are in that output: raidscope capture --from machine.capture --redact takes them out.
# The format is described in capture.md.

usage() {
  cat <<'USAGE'
usage: sh capture.sh [-r ROOT] [-t TOOL] [-w SECONDS] > machine.capture
  -r ROOT     read sys, proc and etc below this folder (default: /); no tool is then asked unless -t names one
  -t TOOL     the vendor tool (default: the first of ssacli, hpssacli, hpacucli found)
  -w SECONDS  stop waiting for the tool after this long (default: 180)
USAGE
}

root=
tool=
named=no
limit=180
while [ $# -gt 0 ]; do
  case $1 in
    -h|--help) usage; exit 0 ;;
    -r) [ $# -gt 1 ] || { usage >&2; exit 64; }; root=$2; shift ;;
    -t) [ $# -gt 1 ] || { usage >&2; exit 64; }; tool=$2; named=yes; shift ;;
    -w) [ $# -gt 1 ] || { usage >&2; exit 64; }; limit=$2; shift ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done
case $limit in
  ''|*[!0-9]*) echo "capture.sh: -w takes whole seconds" >&2; exit 64 ;;
esac
[ "$root" = / ] && root=
[ -z "$root" ] || [ -d "$root" ] || { echo "capture.sh: no such folder: $root" >&2; exit 66; }

LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin
export PATH

have() { command -v "$1" >/dev/null 2>&1; }
# A closed or full output ends it: half a bundle without its end says so itself.
out() { printf '%s\n' "$*" || exit 73; }

# The key of a section; a percent sign is the only letter of a path that needs writing differently here.
key() {
  case $1 in
    *%*) printf '%s\n' "$1" | sed 's/%/%25/g' ;;
    *) printf '%s\n' "$1" ;;
  esac
}

# Bytes as hex digits, all on one line.
if have od; then
  hex() { od -An -v -tx1 2>/dev/null | tr -d ' \n'; }
elif have hexdump; then
  hex() { hexdump -v -e '1/1 "%02x"' 2>/dev/null; }
elif have xxd; then
  hex() { xxd -p 2>/dev/null | tr -d '\n'; }
else
  hex() { cat >/dev/null; }
fi

# text PATH: an attribute or a file of lines. The shell drops newlines at its end, and printf puts one back. An empty
# attribute has no content.
text() {
  value=
  [ -f "$root/$1" ] && [ -r "$root/$1" ] || return 0
  value=$(cat "$root/$1" 2>/dev/null) || return 0
  out "== file $(key "$1")"
  [ -z "$value" ] || printf '%s\n' "$value" | sed 's/^/ /' || exit 73
}

# binary PATH: a page that the kernel has read from a device.
binary() {
  [ -f "$root/$1" ] && [ -r "$root/$1" ] || return 0
  value=$(hex <"$root/$1" 2>/dev/null) || return 0
  [ -n "$value" ] || return 0
  out "== file $(key "$1")"
  out "x$value"
}

texts() {
  folder=$1
  shift
  for attribute in "$@"; do text "$folder/$attribute"; done
}

# Where a link points, without readlink if need be.
target_of() {
  if have readlink; then
    readlink "$1" 2>/dev/null
  else
    ls -ld "$1" 2>/dev/null | sed -n 's/.* -> //p'
  fi
}

link() {
  [ -L "$root/$1" ] || return 0
  to=$(target_of "$root/$1")
  [ -n "$to" ] || return 0
  out "== symlink $(key "$1")"
  out "-$to"
}

# list PATH: the names in a folder, so that an empty one is seen to be there.
list() {
  [ -d "$root/$1" ] || return 0
  out "== list $(key "$1")"
  ls -1 "$root/$1" 2>/dev/null | sed 's/%/%25/g; s/^/ /'
}

# where PATH: the folder that a link of sysfs leads to, below the root, without a slash in front.
where() {
  real=$(cd "$root/$1" 2>/dev/null && pwd -P) || return 1
  base=$(cd "${root:-/}" && pwd -P)
  [ "$base" = / ] && base=
  case $real in
    "$base"/*) printf '%s\n' "${real#"$base"/}" ;;
    *) return 1 ;;
  esac
}

capture_dmi() {
  texts sys/class/dmi/id sys_vendor product_name bios_vendor bios_version bios_date
}

capture_host() {
  for file in proc/cpuinfo proc/meminfo proc/mounts proc/self/mountinfo proc/sys/kernel/hostname \
    proc/sys/kernel/osrelease etc/hostname etc/os-release usr/lib/os-release \
    sys/devices/system/cpu/online sys/hypervisor/type; do
    text "$file"
  done
  link etc/os-release
  list sys/devices/system/cpu/cpufreq
  for policy in "$root"/sys/devices/system/cpu/cpufreq/policy*; do
    text "${policy#"$root"/}/scaling_governor"
  done
  list sys/devices/system/cpu/cpu0/cpuidle
  for state in "$root"/sys/devices/system/cpu/cpu0/cpuidle/state*; do
    texts "${state#"$root"/}" latency disable
  done
  text sys/devices/system/node/online
  for driver in hpsa smartpqi cciss hpvsa hpdsa nvme nvme_core ahci isci mpt3sas megaraid_sas aacraid virtio_blk \
    virtio_scsi; do
    text "sys/module/$driver/version"
  done
  list sys/module/sg
}

# Every device of a bus or class: its link, and of the folder behind it the attributes named.
each() {
  for entry in "$root/$1"/*; do
    [ -e "$entry" ] || [ -L "$entry" ] || continue
    name=${entry##*/}
    link "$1/$name"
    folder=$(where "$1/$name") || folder=$1/$name
    "$2" "$folder" "$name"
  done
}

pci_device() {
  text "$1/class"
  class=$value
  # Storage controllers alone, and what a driver for Smart Arrays holds.
  case $class in
    0x01*) ;;
    *) return 0 ;;
  esac
  texts "$1" vendor device subsystem_vendor subsystem_device revision numa_node uevent
  link "$1/driver"
  driver_at=$(where "$1/driver") && list "$driver_at"
}

scsi_host() {
  texts "$1" proc_name unique_id state firmware_revision commands_outstanding transport_mode resettable \
    hp_ssd_smart_path_status lockup_detected ctlr_num legacy_board heartbeat lockup_detector disk_rq_timeout \
    lockup_action driver_version firmware_version model serial_number vendor enable_stream_detection \
    enable_r5_writes enable_r6_writes uevent
  link "$1/device"
  behind=$(where "$1/device") && texts "$behind" uevent numa_node
}

scsi_device() {
  case $2 in
    *:*:*:*) ;;
    *) return 0 ;;
  esac
  texts "$1" vendor model rev type scsi_level queue_depth state timeout wwid raid_level lunid unique_id \
    hp_ssd_smart_path_enabled ssd_smart_path_enabled path_info sas_address raid_bypass_cnt sas_ncq_prio_enable \
    write_stream_cnt numa_node uevent
  for page in inquiry vpd_pg0 vpd_pg80 vpd_pg83 vpd_pgb0 vpd_pgb1 vpd_pgb2; do binary "$1/$page"; done
  link "$1/generic"
  list "$1/scsi_generic"
  list "$1/block"
}

# The nearest node number above a disk.
numa_above() {
  up=$1
  while [ "$up" != "${up%/*}" ]; do
    text "$up/numa_node"
    up=${up%/*}
  done
}

block_device() {
  case $2 in
    loop*|ram*|zram*|fd*|sr*) return 0 ;;
  esac
  texts "$1" size dev removable ro hidden partition uevent serial wwid
  list "$1/slaves"
  list "$1/holders"
  if [ -d "$root/$1/queue" ]; then
    texts "$1/queue" scheduler nr_requests read_ahead_kb rotational write_cache logical_block_size \
      physical_block_size max_sectors_kb
  fi
  link "$1/device"
  disk=$(where "$1/device") || return 0
  texts "$disk" vendor model rev serial wwid firmware_rev transport name queue_depth numa_node raid_level type uevent
  for page in inquiry vpd_pg0 vpd_pg80 vpd_pg83; do binary "$disk/$page"; done
  numa_above "$disk"
}

# Partitions of a machine without sys/class/block.
old_block() {
  block_device "$1" "$2"
  for part in "$root/$1/$2"*; do
    [ -d "$part" ] && block_device "$1/${part##*/}" "${part##*/}"
  done
}

capture_cciss() {
  for entry in "$root"/proc/driver/cciss/cciss*; do
    [ -f "$entry" ] && text "proc/driver/cciss/${entry##*/}"
  done
}

capture_sysfs() {
  each sys/bus/pci/devices pci_device
  each sys/class/scsi_host scsi_host
  each sys/bus/scsi/devices scsi_device
  [ -d "$root/sys/bus/scsi/devices" ] || each sys/class/scsi_device scsi_class_device
  each sys/class/scsi_generic generic_device
  list sys/class/scsi_generic
  if [ -d "$root/sys/class/block" ]; then
    each sys/class/block block_device
    list sys/class/block
  else
    each sys/block old_block
  fi
  for entry in "$root"/sys/fs/btrfs/*-*; do
    [ -d "$entry" ] && list "sys/fs/btrfs/${entry##*/}/devices"
  done
}

scsi_class_device() {
  link "$1/device"
  behind=$(where "$1/device") && scsi_device "$behind" "$2"
}

generic_device() {
  text "$1/dev"
  text "$1/uevent"
  link "$1/device"
}

find_tool() {
  for candidate in ssacli hpssacli hpacucli; do
    command -v "$candidate" 2>/dev/null && return 0
  done
  for candidate in /opt/smartstorageadmin/ssacli/bin/ssacli /opt/hp/hpssacli/bld/hpssacli \
    /opt/hp/hpssacli/bin/hpssacli /opt/compaq/hpacucli/bld/hpacucli /opt/hp/hpacucli/bld/hpacucli; do
    [ -x "$candidate" ] && { echo "$candidate"; return 0; }
  done
  return 1
}

# Runs the tool with an end. Without timeout(1) a second process counts and ends it, with all that it started where
# there is setsid(1). The last line of what this prints is the exit status, with a mark in front.
mark=raidscope-exit-status
run_tool() {
  # hpacucli finds nothing on kernels from 3.0 on unless it is told of an older one.
  case $1 in
    *hpacucli)
      if have setarch && setarch "$(uname -m)" --uname-2.6 true 2>/dev/null; then
        set -- setarch "$(uname -m)" --uname-2.6 "$@"
      fi
      ;;
  esac
  if have timeout && timeout -k 5 5 true 2>/dev/null; then
    timeout -k 5 "$limit" "$@" </dev/null 2>&1
    status=$?
  else
    if have setsid; then
      setsid "$@" </dev/null 2>&1 &
    else
      "$@" </dev/null 2>&1 &
    fi
    asked=$!
    (
      left=$limit
      while [ "$left" -gt 0 ]; do
        sleep 1
        kill -0 "$asked" 2>/dev/null || exit 0
        left=$((left - 1))
      done
      kill -TERM "-$asked" 2>/dev/null || kill "$asked" 2>/dev/null
      sleep 2
      kill -KILL "-$asked" 2>/dev/null || kill -KILL "$asked" 2>/dev/null
    ) </dev/null >/dev/null 2>&1 &
    watcher=$!
    wait "$asked"
    status=$?
    [ "$status" -lt 128 ] || status=124
    # Where the tool itself has gone, something that it started may still hold the output.
    [ "$status" = 124 ] && kill -KILL "-$asked" 2>/dev/null
    kill "$watcher" 2>/dev/null
  fi
  printf '\n%s %s\n' "$mark" "$status"
}

capture_tool() {
  if [ "$named" = no ]; then
    [ -z "$root" ] || return 0
    tool=$(find_tool) || tool=
  fi
  out "== tool show_config_detail"
  if [ -z "$tool" ]; then
    out ".error not_found"
    out ".message no vendor tool (ssacli, hpssacli or hpacucli) is installed"
    return 0
  fi
  begun=$(date +%s 2>/dev/null)
  # The shell cannot hold NULs, and drops newlines at the end: the mark keeps those that the tool printed.
  answer=$(run_tool "$tool" ctrl all show config detail)
  status=${answer##*"$mark "}
  answer=${answer%?"$mark "*}
  ended=$(date +%s 2>/dev/null)
  case $status in
    124|137)
      out ".error timeout"
      out ".message the vendor tool did not answer in $limit s and was stopped"
      out ".where $(key "$tool ctrl all show config detail")"
      return 0
      ;;
  esac
  out ".tool $(key "$tool")"
  out ".command $(key "${tool##*/} ctrl all show config detail")"
  out ".exit_status $status"
  case $begun$ended in
    ''|*[!0-9]*) ;;
    *) out ".duration_ms $(((ended - begun) * 1000))" ;;
  esac
  # What the tool printed, byte for byte: a last line without its newline has a dash in front.
  case $answer in
    '') ;;
    *'
')
      printf '%s' "$answer" | sed 's/^/ /' || exit 73
      ;;
    *)
      printf '%s\n' "$answer" | sed 's/^/ /; $s/^ /-/' || exit 73
      ;;
  esac
}

value=
out "raidscope-capture 1"
out "== capture"
out ".taken_at $(date -u +%Y-%m-%dT%H:%M:%SZ)"
out ".by capture.sh 1"
out ".answers tree"
capture_host
capture_dmi
capture_sysfs
capture_cciss
capture_tool
out "== end"
