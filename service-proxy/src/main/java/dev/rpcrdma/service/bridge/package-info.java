// SPDX-License-Identifier: Apache-2.0
/**
 * A bridge between two event buses: {@link dev.rpcrdma.service.bridge.EventBusBridge}. It knows the form of messages,
 * and nothing of the services that they are for.
 *
 * <p>One end forwards what comes to permitted addresses of its event bus ({@code Forwarder}), as calls of the program
 * {@code BridgeProgram}; the other end serves that program and gives the messages to its own event bus
 * ({@code Deliverer}). Either end may be the client of the connection, and both may do both.
 *
 * <p>What went on is in {@link dev.rpcrdma.service.bridge.BridgeSnapshot}; {@link
 * dev.rpcrdma.service.bridge.BridgeHealthChecks} show it.
 */
package dev.rpcrdma.service.bridge;
