// SPDX-License-Identifier: Apache-2.0
/**
 * The face of the toolkit: {@link dev.rpcrdma.api.RpcServer} and {@link dev.rpcrdma.api.RpcClient},
 * the physical {@link dev.rpcrdma.api.RpcConnection} and the logical
 * {@link dev.rpcrdma.api.RpcChannel}.
 *
 * <p>Clients, servers, channels, connections, callers and payloads may be used from any thread; builders and options by
 * one at a time. Futures of calls complete on the context of the caller; if it has none, on that of the client, or on
 * the event loop of the connection or server. Futures of listening and closing, of {@link
 * dev.rpcrdma.api.RpcConnection#snapshot} and of statistics complete elsewhere. Nothing here waits; {@link
 * dev.rpcrdma.api.Payload#allocate} and {@link dev.rpcrdma.api.Payload#copyOf} clear and copy on the caller's thread.
 *
 * <p>What a caller decides for single calls is in {@link dev.rpcrdma.api.CallOptions}: how long they may
 * take, who calls, and a {@link dev.rpcrdma.api.Cancellation} that gives them up before.
 *
 * <p>Large arguments and results are a {@link dev.rpcrdma.api.Payload} each. Files and streams of any size become many
 * of them by {@link dev.rpcrdma.api.PayloadStreams}, and go into a stream by {@link dev.rpcrdma.api.PayloadWriter}.
 */
package dev.rpcrdma.api;
