// SPDX-License-Identifier: Apache-2.0
/** What connections of a client or a server are secured by, and how it is replaced while they are up. */
package dev.rpcrdma.api.impl.tls;
