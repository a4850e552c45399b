/** Streams as sequences of payloads, between scripted ends. */
package dev.rpcrdma.api.impl.stream;
