// SPDX-License-Identifier: Apache-2.0
/** The simulations of {@code protocol} with calls by RPCSEC_GSS, and bugs that they must find. */
package dev.rpcrdma.kerberos.simulation;
