// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

/**
 * One key of a keytab.
 *
 * @param principal whose it is
 * @param version of the key
 * @param key the key, which no text has
 */
record KeytabEntry(String principal, int version, KerberosKey key) {}
