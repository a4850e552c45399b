/** Tables that allocate nothing for what comes and goes with each call. */
package dev.rpcrdma.protocol.table;
