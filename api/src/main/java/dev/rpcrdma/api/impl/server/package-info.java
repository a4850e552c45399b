// SPDX-License-Identifier: Apache-2.0
/** Servers: their share of a listener, their connections, and the clients that they remember. */
package dev.rpcrdma.api.impl.server;
