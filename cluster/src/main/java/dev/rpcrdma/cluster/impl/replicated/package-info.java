// SPDX-License-Identifier: Apache-2.0
/** Carries out what {@code dev.rpcrdma.protocol.replicated} says, with services and an asynchronous map. */
package dev.rpcrdma.cluster.impl.replicated;
