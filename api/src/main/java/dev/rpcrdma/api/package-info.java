// SPDX-License-Identifier: Apache-2.0
/**
 * The face of the toolkit: {@link dev.rpcrdma.api.RpcServer} and {@link dev.rpcrdma.api.RpcClient},
 * the physical {@link dev.rpcrdma.api.RpcConnection} and the logical
 * {@link dev.rpcrdma.api.RpcChannel}.
 *
 * <p>Everything here may be called from any thread. Futures complete on the context of the caller,
 * or on the connection's event loop if the caller has none. Nothing here blocks.
 *
 * <p>What a caller decides for single calls is in {@link dev.rpcrdma.api.CallOptions}: how long they may
 * take, who calls, and a {@link dev.rpcrdma.api.Cancellation} that gives them up before.
 *
 * <p>Large arguments and results are a {@link dev.rpcrdma.api.Payload} each. Files and streams of any size become many
 * of them by {@link dev.rpcrdma.api.PayloadStreams}, and go into a stream by {@link dev.rpcrdma.api.PayloadWriter}.
 */
package dev.rpcrdma.api;
