#!/bin/sh
# capture.sh: saves what a machine says of its Smart Arrays as one text that raidscope reads:
#
#   sh capture.sh > machine.capture         as root, for the vendor tool needs it
#   raidscope probe --from machine.capture  on any machine
#
# For machines where raidscope itself cannot run: old distributions, ESXi, rescue systems. POSIX sh with cat, ls, sed,
# tr and what else coreutils or busybox have. It reads, asks the vendor tool for its report, and writes to standard output
# alone, no temporary files either. Serial numbers are in that output: raidscope capture --from machine.capture --redact takes them out.
# The format is described in capture.md.

usage() {
  cat <<'USAGE'
usage: sh capture.sh [-r ROOT] [-t TOOL] [-w SECONDS] > machine.capture
  -r ROOT     read sys, proc and etc below this folder (default: /); no tool is then asked unless -t names one
  -t TOOL     the vendor tool (default: the first of ssacli, hpssacli, hpacucli found)
  -w SECONDS  stop the tool when it has not answered after this long (1 to 999999; default: 180)
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
while :; do
  case $limit in
    0?*) limit=${limit#0} ;;
    *) break ;;
  esac
done
case $limit in
  ''|0|*[!0-9]*|???????*) echo "capture.sh: -w takes whole seconds, from 1 to 999999" >&2; exit 64 ;;
esac
[ "$root" = / ] && root=
[ -z "$root" ] || [ -d "$root" ] || { echo "capture.sh: no such folder: $root" >&2; exit 66; }

# The tool must not be the leader of a process group of this shell.
set +m 2>/dev/null
unset LANGUAGE
LC_ALL=C
# Without this the vendor tool also looks at disks that are no Smart Array's, for minutes where there are many.
INFOMGR_BYPASS_NONSA=1
export LC_ALL INFOMGR_BYPASS_NONSA
PATH=$PATH:/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin
export PATH

have() { command -v "$1" >/dev/null 2>&1; }
say() { printf 'capture.sh: %s\n' "$*" >&2; }
uid=$(id -u 2>/dev/null) || uid=0
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

# Counts what only root may read. Old kernels have a uevent that nobody can.
unread=0
unread_names=
readable() {
  [ -f "$root/$1" ] || return 1
  [ -r "$root/$1" ] && return 0
  case $1 in
    */uevent) return 1 ;;
  esac
  unread=$((unread + 1))
  [ "$unread" -gt 3 ] || unread_names="$unread_names${unread_names:+, }/$1"
  return 1
}

# text PATH: an attribute or a file of lines. The shell drops newlines at its end, and printf puts one back. An empty
# attribute has no content.
text() {
  value=
  readable "$1" || return 0
  value=$(cat "$root/$1" 2>/dev/null) || return 0
  out "== file $(key "$1")"
  [ -z "$value" ] || printf '%s\n' "$value" | sed 's/^/ /' || exit 73
}

# binary PATH: a page that the kernel has read from a device.
binary() {
  readable "$1" || return 0
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
    # shellcheck disable=SC2012
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
  # shellcheck disable=SC2012
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

drivers="hpsa smartpqi cciss hpvsa hpdsa nvme nvme_core ahci isci mpt3sas megaraid_sas aacraid virtio_blk virtio_scsi"
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
  for driver in $drivers; do
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
  for owner in "$root/$1"/cciss[0-9]*; do
    [ -d "$owner" ] || continue
    cciss_controller "$1/${owner##*/}"
    class=0x01
  done
  # Storage controllers alone.
  case $class in
    0x01*) ;;
    *) return 0 ;;
  esac
  texts "$1" vendor device subsystem_vendor subsystem_device revision numa_node uevent
  link "$1/driver"
  driver_at=$(where "$1/driver") || return 0
  list "$driver_at"
  case " $drivers " in
    *" ${driver_at##*/} "*) ;;
    *) text "sys/module/${driver_at##*/}/version" ;;
  esac
}

# What the cciss driver shows below the PCI device: the controller, and a folder for each logical drive.
cciss_controller() {
  texts "$1" transport_mode resettable uevent
  list "$1"
  for drive in "$root/$1"/c[0-9]*d[0-9]*; do
    [ -d "$drive" ] || continue
    texts "$1/${drive##*/}" unique_id lunid raid_level usage_count vendor model rev uevent
    list "$1/${drive##*/}"
  done
}

scsi_host() {
  texts "$1" proc_name unique_id state firmware_revision commands_outstanding transport_mode resettable \
    hp_ssd_smart_path_status lockup_detected ctlr_num legacy_board heartbeat lockup_detector disk_rq_timeout \
    lockup_action driver_version firmware_version model serial_number vendor enable_stream_detection \
    enable_r5_writes enable_r6_writes uevent
  link "$1/device"
  behind=$(where "$1/device") || return 0
  texts "$behind" uevent numa_node
  [ -f "$root/$behind/uevent" ] || list "$behind"
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
  for page in inquiry vpd_pg0 vpd_pg80 vpd_pg83 vpd_pgb1; do binary "$disk/$page"; done
  [ -f "$root/$disk/uevent" ] || list "$disk"
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
  list proc/driver/cciss
  for entry in "$root"/proc/driver/cciss/cciss*; do
    [ -f "$entry" ] && text "proc/driver/cciss/${entry##*/}"
  done
}

capture_sysfs() {
  each sys/bus/pci/devices pci_device
  each sys/class/scsi_host scsi_host
  each sys/bus/scsi/devices scsi_device
  each sys/class/scsi_device scsi_class_device
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
  [ ! -e "$root/sys/bus/scsi/devices/$2" ] || return 0
  link "$1/device"
  behind=$(where "$1/device") && scsi_device "$behind" "$2"
}

# Names of mounted devices that are links, such as /dev/mapper/root.
capture_mounted() {
  for source in $({
    sed -n 's|^/\(dev/[^ ]*\) .*|\1|p' "$root/proc/mounts"
    sed -n 's|.* - [^ ]* /\(dev/[^ ]*\) .*|\1|p' "$root/proc/self/mountinfo"
  } 2>/dev/null | sort -u); do
    [ -L "$root/$source" ] || continue
    for _ in 1 2 3 4; do
      link "$source"
      case $to in
        /*) source=${to#/} ;;
        *) source=${source%/*}/$to ;;
      esac
      folder=$(where "${source%/*}") || break
      source=$folder/${source##*/}
      [ -L "$root/$source" ] && continue
      # It is there, and holds nothing that is read.
      [ ! -e "$root/$source" ] || out "== file $(key "$source")"
      break
    done
  done
}

generic_device() {
  text "$1/dev"
  text "$1/uevent"
  link "$1/device"
}

# The path of a program named NAME, as the shell finds it; never one of the present folder.
program() {
  found=$(command -v "$1" 2>/dev/null) || return 1
  case $found in
    /*) [ -f "$found" ] && printf '%s\n' "$found" ;;
    *) return 1 ;;
  esac
}

find_tool() {
  for candidate in ssacli hpssacli hpacucli; do
    program "$candidate" && return 0
  done
  for candidate in /opt/smartstorageadmin/ssacli/bin/ssacli /opt/hp/ssacli/bld/ssacli /opt/hp/hpssacli/bld/hpssacli \
    /opt/hp/hpssacli/bin/hpssacli /opt/compaq/hpacucli/bld/hpacucli /opt/hp/hpacucli/bld/hpacucli; do
    [ -f "$candidate" ] && [ -x "$candidate" ] && { echo "$candidate"; return 0; }
  done
  return 1
}

# How the tool is asked. No temporary file, and no wait for what the tool may leave behind with its output open:
#
#   asked_tool | tool_answer &     this shell waits, for only wait can be interrupted by a signal; watch counts
#
# asked_tool prints the tool's process id, then the tool's output, then a mark with its exit status. tool_answer reads
# the id, hands the rest to sed, which ends at the mark, and ends the tool when it is told to: USR1 says that the time
# is over, TERM that nobody waits for the answer any more.
asking=
watching=
starting=no
# What the tool cannot print by chance.
mark=raidscope-$$-$(date +%s 2>/dev/null)-$(dd if=/dev/urandom bs=8 count=1 2>/dev/null | hex)
most=67108864

asked_tool() {
  cd /
  # hpacucli finds nothing on kernels from 3.0 on unless it is told of an older one.
  case $1 in
    *hpacucli)
      if have setarch && setarch "$(uname -m)" --uname-2.6 true >/dev/null 2>&1; then
        set -- setarch "$(uname -m)" --uname-2.6 "$@"
      fi
      ;;
  esac
  # A session of its own, so that all that it starts can be ended with it.
  if have setsid && setsid true >/dev/null 2>&1; then
    set -- setsid sh -c 'echo "$$"; exec "$@"' sh "$@"
  else
    set -- sh -c 'echo "$$"; exec "$@"' sh "$@"
  fi
  # In a subshell, for the shell's own words on how it ended are not the tool's.
  ( exec "$@" </dev/null 2>&1 )
  status=$?
  # Korn shells and yash count signals from elsewhere.
  [ "$status" -le 255 ] || status=$((status % 128 + 128))
  # The last line is for sed programs that read one ahead.
  printf '\n%s %s\n%s\n' "$mark" "$status" "$mark"
}

# hit SIGNAL PROCESS: the group of the process; where it has none of its own, it and all that it started.
hit() {
  kill "-$1" "-$2" 2>/dev/null && return 0
  for process in $(family "$2"); do kill "-$1" "$process" 2>/dev/null; done
}

family() {
  echo "$1"
  cat /proc/[0-9]*/stat 2>/dev/null | sed -n "s/^\\([0-9]*\\) (.*) [A-Za-z] $1 .*/\\1/p" | while read -r member; do
    family "$member"
  done
}

nap() {
  sleep "$1" &
  napping=$!
  wait "$napping"
}

end_tool() {
  woken=yes
  [ -n "$tool_id" ] && [ -z "$ending" ] || return 0
  hit TERM "$tool_id"
  (
    trap 'kill "$napping" 2>/dev/null; exit 0' TERM
    nap 2
    hit KILL "$tool_id"
  ) </dev/null >/dev/null 2>&1 &
  ending=$!
}

tool_answer() {
  tool_id=
  ending=
  late=no
  woken=no
  trap '[ "$late" = no ] && late=yes || late=stuck; end_tool' USR1
  trap 'late=left; end_tool' TERM
  trap '' HUP INT
  while :; do
    IFS= read -r tool_id && break
    [ "$woken" = yes ] || break
    woken=no
  done
  case $tool_id in
    *[!0-9]*) tool_id= ;;
  esac
  if [ "$late" != no ]; then end_tool; fi
  exec 4<&0
  # Byte for byte, but for NULs: each line behind a blank, a last one without its newline behind a dash. A line is
  # printed when the next is there, for the mark has a newline of its own in front.
  # The line behind what came is for an answer that ends without the mark, perhaps before its first line.
  # shellcheck disable=SC3045
  ( ulimit -v 200000; sed "/^$mark /q"; echo ) <&4 | tr -d '\000' | cut_off | sed -n "
    /^$mark [0-9]*\$/{
      x
      /^\$/!s/^/-/p
      x
      s/^$mark /.exit_status /p
      q
    }
    x
    1!s/^/ /p
    \${
      x
      /^\$/!s/^/-/p
      s/.*/.error malformed/p
      s/.*/.message the vendor tool printed more than $most bytes, or a line without an end, and was stopped/p
    }" &
  sorting=$!
  exec 4<&-
  while :; do
    woken=no
    wait "$sorting"
    status=$?
    [ "$woken" = yes ] || break
    case $late in
      stuck) break ;;
    esac
  done
  trap '' USR1 TERM
  [ -z "$ending" ] || kill "$ending" 2>/dev/null
  # Nothing that it started is left.
  [ -z "$tool_id" ] || kill -KILL "-$tool_id" 2>/dev/null
  case $late in
    no)
      # An output that is full or closed.
      case $status in
        0|127) exit 0 ;;
      esac
      [ -z "$tool_id" ] || hit KILL "$tool_id"
      exit 73
      ;;
    yes)
      fate='was stopped'
      ;;
    stuck)
      kill "$sorting" 2>/dev/null
      fate="could not be stopped (process $tool_id)"
      ;;
    left)
      exit 0
      ;;
  esac
  out ".error timeout"
  out ".message the vendor tool did not answer in $limit s and $fate"
  out ".where $(key "$tool ctrl all show config detail")"
  exit 75
}

if [ "$(printf abc | head -c 2 2>/dev/null)" = ab ]; then
  cut_off() { head -c "$most"; }
else
  cut_off() { cat; }
fi

# Tells the process that reads the answer when the time is over, or when this shell is gone.
watch() {
  trap 'kill "$napping" 2>/dev/null; exit 0' TERM
  left=$limit
  while [ "$left" -gt 0 ]; do
    nap 1
    kill -0 "$$" 2>/dev/null || { kill -TERM "$1"; exit 0; }
    left=$((left - 1))
  done
  kill -USR1 "$1"
  # Where even SIGKILL does not end it.
  nap 6
  kill -USR1 "$1"
}

# The end by a signal: the tool ends too, and the bundle has no end.
leave() {
  trap '' HUP INT TERM
  if [ "$starting" = yes ]; then
    asking=$!
    sleep 1
  fi
  [ -z "$watching" ] || kill "$watching" 2>/dev/null
  if [ -n "$asking" ]; then
    kill -TERM "$asking" 2>/dev/null
    (
      trap 'kill "$napping" 2>/dev/null; exit 0' TERM
      nap 6
      kill -KILL "$asking"
    ) </dev/null >/dev/null 2>&1 &
    guard=$!
    wait "$asking"
    kill "$guard" 2>/dev/null
  fi
  exit "$1"
}

# unasked WORD MESSAGE WHERE HINT: why there is no answer.
unasked() {
  out "== tool show_config_detail"
  out ".error $1"
  out ".message $2"
  [ -z "$3" ] || out ".where $(key "$3")"
  [ -z "$4" ] || out ".hint $4"
  say "$2${3:+: $3}${4:+"; $4"}"
}

capture_tool() {
  if [ "$named" = no ]; then
    [ -z "$root" ] || return 0
    if ! tool=$(find_tool); then
      unasked not_found "no vendor tool (ssacli, hpssacli or hpacucli) is installed" "" \
        "install ssacli, or name it with capture.sh -t PATH"
      return 0
    fi
    if [ "$uid" != 0 ]; then
      unasked permission "the vendor tool needs root" "$tool" "run capture.sh as root"
      return 0
    fi
  else
    wanted=$tool
    case $tool in
      /*) ;;
      */*) tool=$(pwd)/$tool ;;
      *) tool=$(program "$tool") || tool=$wanted ;;
    esac
    if [ ! -e "$tool" ]; then
      unasked not_found "no such program" "$tool" "name the vendor tool with capture.sh -t PATH"
      return 0
    fi
    if [ ! -f "$tool" ] || [ ! -x "$tool" ]; then
      unasked permission "not a program that may be run" "$tool" "name the vendor tool itself with capture.sh -t PATH"
      return 0
    fi
  fi
  out "== tool show_config_detail"
  out ".tool $(key "$tool")"
  out ".command $(key "$tool ctrl all show config detail")"
  begun=$(date +%s 2>/dev/null)
  starting=yes
  asked_tool "$tool" ctrl all show config detail 2>/dev/null | tool_answer 2>/dev/null &
  asking=$!
  starting=no
  watch "$asking" </dev/null >/dev/null 2>&1 &
  watching=$!
  wait "$asking"
  status=$?
  asking=
  kill "$watching" 2>/dev/null
  watching=
  case $status in
    0) ;;
    75) say "the vendor tool did not answer in $limit s: $tool ctrl all show config detail" ;;
    73) exit 73 ;;
    *) out ".error io"; out ".message the vendor tool's answer could not be read" ;;
  esac
  ended=$(date +%s 2>/dev/null)
  case $begun$ended in
    ''|*[!0-9]*) ;;
    *) out ".duration_ms $(((ended - begun) * 1000))" ;;
  esac
}

# One note of what a user who is not root misses.
say_rights() {
  [ "$uid" != 0 ] || return 0
  note=
  if [ -z "$root" ]; then
    note="the vendor tool needs root"
    [ "$named" = no ] || note="the vendor tool was asked, but needs root"
  fi
  [ "$unread" = 0 ] || note="$note${note:+, and }$unread files could not be read ($unread_names)"
  [ -z "$note" ] || say "not root: $note; run it as root for all of them"
}

trap 'leave 129' HUP
trap 'leave 130' INT
trap 'leave 143' TERM
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
capture_mounted
capture_tool
out "== end"
say_rights
