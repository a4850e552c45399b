// SPDX-License-Identifier: Apache-2.0
/** Calls with and without TLS and Kerberos, and what Kerberos itself takes. */
package dev.rpcrdma.bench.security;
