/** Carries out what {@code dev.rpcrdma.protocol.replicated} says, with services and an asynchronous map. */
package dev.rpcrdma.api.impl.replicated;
