#!/bin/bash
# nfs-server.sh   Starts the kernel's NFS server, over RDMA (port 20049) and TCP (2049), with a tmpfs
# as /export. siw.sh comes first: the RDMA device must be there.
set -euo pipefail
! grep -qs 'rdma 20049' /proc/fs/nfsd/portlist || exit 0
modprobe nfsd
modprobe rpcrdma
state=/var/lib/nfs
mkdir -p /export $state/{rpc_pipefs,v4recovery,nfsdcld,sm,sm.bak} /run/rpcbind
touch $state/{etab,rmtab,state}
mountpoint -q /export || mount -t tmpfs -o size=1g,mode=1777 tmpfs /export
mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
mountpoint -q $state/rpc_pipefs || mount -t rpc_pipefs sunrpc $state/rpc_pipefs
grep -q ^_rpc: /etc/passwd ||
  echo '_rpc:x:116:65534::/run/rpcbind:/usr/sbin/nologin' >>/etc/passwd
if ! pidof rpcbind >/dev/null; then
  rpcbind
  for _ in $(seq 30); do
    rpcinfo -p >/dev/null 2>&1 && break
    sleep 0.2
  done
fi
pidof nfsdcld >/dev/null || nfsdcld
echo '/export *(rw,no_root_squash,insecure,no_subtree_check,fsid=0,sec=sys)' >/etc/exports
exportfs -ra
pidof rpc.mountd >/dev/null || rpc.mountd --port 20048
# As much as this kernel can, up to 4 MiB; else the size of the memory decides.
echo 4194304 >/proc/fs/nfsd/max_block_size
# Nobody was here before who has anything to reclaim: no long grace of lockd, and none of nfsd.
echo 1 >/proc/sys/fs/nfs/nlm_grace_period
rpc.nfsd --no-udp 4
# Refused as busy when it is over already: nfsdcld was quick to say that nobody was here.
echo Y 2>/dev/null >/proc/fs/nfsd/v4_end_grace || true
for _ in $(seq 100); do
  ! grep -q Y /proc/fs/nfsd/v4_end_grace || break
  sleep 0.05
done
echo rdma 20049 >/proc/fs/nfsd/portlist
