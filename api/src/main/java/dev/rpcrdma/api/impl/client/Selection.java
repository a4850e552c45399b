// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.client;

import io.vertx.core.net.endpoint.ServerEndpoint;

/**
 * A server that was chosen for something, and has been {@linkplain ChannelServer#enter entered} for it.
 *
 * @param endpoint as the load balancer knows it
 */
record Selection(ChannelServer server, ServerEndpoint endpoint) {}
