// SPDX-License-Identifier: Apache-2.0
/**
 * Clients and their channels: to one server over one connection after the other ({@code RpcChannelImpl}), over several
 * at a time ({@code LanesChannel}), and to the servers that an address stands for ({@code ResolvedChannel}).
 */
package dev.rpcrdma.api.impl.client;
