#!/bin/bash
# nfs-mount.sh VERSION [ADDRESS [FOLDER [PORT]]]   Mounts /export of ADDRESS over RDMA, by default of
# this VM itself, on FOLDER, by default /mnt/vVERSION.
set -euo pipefail
version=${1:?version} address=${2:-10.0.2.15} folder=${3:-/mnt/v$1} port=${4:-20049}
mkdir -p "$folder"
path=/ options=
case $version in
  3) path=/export options=,nolock,mountport=20048,mountproto=tcp ;;
esac
timeout 60 mount -t nfs -o "rdma,port=$port,vers=$version$options${OPTIONS:+,$OPTIONS}" \
  "$address:$path" "$folder"
grep " $folder " /proc/mounts
