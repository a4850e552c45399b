// SPDX-License-Identifier: Apache-2.0
/**
 * Resolvers of addresses: what a {@link dev.rpcrdma.api.RpcClient} asks which servers an address stands for. Servers
 * that a function knows are the matter of core's {@link io.vertx.core.net.AddressResolver#mappingResolver}.
 */
package dev.rpcrdma.api.resolver;
