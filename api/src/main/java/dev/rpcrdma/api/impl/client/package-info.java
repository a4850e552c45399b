/** Clients and their channels. */
package dev.rpcrdma.api.impl.client;
