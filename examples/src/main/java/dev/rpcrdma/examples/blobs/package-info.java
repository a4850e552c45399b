// SPDX-License-Identifier: Apache-2.0
/**
 * A store of named blobs, as a user of the toolkit would write it: two annotated interfaces, an
 * implementation, and clients: one stores a directory and reads it back, one reads a file that is larger than its
 * memory.
 */
package dev.rpcrdma.examples.blobs;
