/** Transports that do what a test wants. */
package dev.rpcrdma.api.spi;
