#!/bin/bash
# kerberos.sh [TYPES]   Starts a key distribution center of the realm LAB.TEST, with principals for nfsd here
# (nfs.lab.test), for an NFS server on the host (server.lab.test), and for the user alice (2000). Keys are
# of the given encryption types, by default aes256-cts-hmac-sha1-96. Again with the same types: nothing.
set -euo pipefail
types=${1:-aes256-cts-hmac-sha1-96}
[ "$(cat /root/kerberos/types 2>/dev/null)" != "$types" ] || exit 0
pkill -x krb5kdc || true
rm -rf /root/kerberos /etc/krb5kdc /var/lib/krb5kdc
mkdir -p /root/kerberos /etc/krb5kdc /var/lib/krb5kdc
hostname nfs.lab.test
cat >/etc/hosts <<END
127.0.0.1 localhost
10.0.2.15 nfs.lab.test
10.0.2.2 server.lab.test
END
# Tickets for the host are asked for through a forwarded port, that is by TCP.
cat >/etc/krb5.conf <<END
[libdefaults]
  default_realm = LAB.TEST
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  permitted_enctypes = $types
[realms]
  LAB.TEST = {
    kdc = 10.0.2.15:88
  }
[domain_realm]
  .lab.test = LAB.TEST
END
cat >/etc/krb5kdc/kdc.conf <<END
[kdcdefaults]
  kdc_tcp_ports = 88
[realms]
  LAB.TEST = {
    database_name = /var/lib/krb5kdc/principal
    key_stash_file = /etc/krb5kdc/stash
    master_key_type = ${types%% *}
    supported_enctypes = ${types%% *}:normal
    max_life = 10h
  }
END
kdb5_util create -s -P lab -r LAB.TEST >/dev/null
add() {
  kadmin.local -q "addprinc -randkey $1" >/dev/null
  kadmin.local -q "ktadd -norandkey -k $2 $1" >/dev/null
}
rm -f /etc/krb5.keytab
add nfs/nfs.lab.test /etc/krb5.keytab
add nfs/server.lab.test /root/kerberos/server.keytab
add alice /root/kerberos/alice.keytab
krb5kdc
grep -q ^alice: /etc/passwd || echo 'alice:x:2000:2000::/:/bin/bash' >>/etc/passwd
echo "$types" >/root/kerberos/types
