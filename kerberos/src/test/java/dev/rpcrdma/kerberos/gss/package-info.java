// SPDX-License-Identifier: Apache-2.0
/** RPCSEC_GSS, with bytes that Linux has sent. */
package dev.rpcrdma.kerberos.gss;
