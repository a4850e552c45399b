// SPDX-License-Identifier: Apache-2.0
/**
 * Annotations that make a Java interface an ONC RPC program.
 *
 * <pre>{@code
 * @RpcProgram(number = 0x20060001, version = 1)
 * public interface BlobStore {
 *   @RpcProcedure(1) Future<Long> put(String name, @DirectPlacement Payload content);
 *   @RpcProcedure(2) @DirectPlacement Future<Payload> get(String name, @Into Payload target);
 * }
 * }</pre>
 *
 * <p>The annotation processor, {@code vertx-rpcrdma-processor}, generates {@code BlobStoreRpcProxy},
 * {@code BlobStoreRpcHandler} and {@code BlobStoreRpcBinding} beside it. Channels and servers find
 * them by name: {@code channel.proxy(BlobStore.class)}, {@code server.bind(BlobStore.class, impl)}.
 */
package dev.rpcrdma.service;
