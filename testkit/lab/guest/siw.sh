#!/bin/bash
# siw.sh [plain|crc|p2p]   Loads that siw and puts it on eth0 (siw0) and lo (siw_lo), in place of the
# one that is loaded, if it is another. Connect to 10.0.2.15: over 127.0.0.1 this kernel refuses.
set -euo pipefail
variant=${1:-plain}
[ "$(cat /run/siw 2>/dev/null)" != "$variant" ] || exit 0
for module in ib_uverbs rdma_ucm $(modinfo -F depends "/usr/lib/siw/siw-$variant.ko" | tr , ' '); do
  modprobe "$module"
done
if [ -d /sys/module/siw ]; then
  rm -f /run/siw
  rdma link delete siw0
  rdma link delete siw_lo
  for _ in $(seq 50); do
    rmmod siw 2>/dev/null && break
    sleep 0.1
  done
  [ ! -d /sys/module/siw ] || { echo "siw.sh: siw is in use" >&2; exit 1; }
fi
insmod "/usr/lib/siw/siw-$variant.ko"
rdma link add siw0 type siw netdev eth0
rdma link add siw_lo type siw netdev lo
echo "$variant" >/run/siw
