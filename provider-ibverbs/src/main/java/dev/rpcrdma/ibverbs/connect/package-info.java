/** Connecting and accepting by librdmacm: its events, and what each kind of fabric means by them. */
package dev.rpcrdma.ibverbs.connect;
