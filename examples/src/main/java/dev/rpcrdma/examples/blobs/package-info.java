/**
 * A store of named blobs, as a user of the toolkit would write it: two annotated interfaces, an
 * implementation, and a client that stores a directory and reads it back.
 */
package dev.rpcrdma.examples.blobs;
