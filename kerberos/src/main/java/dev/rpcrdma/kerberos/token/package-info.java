// SPDX-License-Identifier: Apache-2.0
/**
 * Reads what Kerberos V has made, by the keys of a keytab: tickets, whose time does not matter, and the tokens of a
 * security context (RFC 4121). For tools that look at what others have sent; nothing in here makes a context.
 *
 * <p>{@link dev.rpcrdma.kerberos.token.Keytab} is where to begin. Keys never leave the package, and no text has them.
 */
package dev.rpcrdma.kerberos.token;
