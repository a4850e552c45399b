// SPDX-License-Identifier: Apache-2.0
/**
 * rpcbind, versions 3 and 4 (RFC 1833 §2), what is read of its version 2, the portmapper (§3), and universal addresses
 * (RFC 5665 §5). Who is asked, and how, is not in here.
 */
package dev.rpcrdma.protocol.rpcbind;
