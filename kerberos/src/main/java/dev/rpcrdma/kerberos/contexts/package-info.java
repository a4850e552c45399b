// SPDX-License-Identifier: Apache-2.0
/**
 * Security contexts over TCP: what clients of RPCSEC_GSS need that make them there, and use them over RDMA (RFC 8166
 * §8.2.2.1). Only the null procedure is served.
 */
package dev.rpcrdma.kerberos.contexts;
