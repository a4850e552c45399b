// SPDX-License-Identifier: Apache-2.0
/**
 * Kerberos V by the JDK's GSS-API (RFC 2743, RFC 4121), as a mechanism of RPCSEC_GSS. {@link
 * dev.rpcrdma.kerberos.mechanism.Kerberos} is what others use. Contexts are made by threads that may block; signing and
 * encrypting is done by any.
 */
package dev.rpcrdma.kerberos.mechanism;
