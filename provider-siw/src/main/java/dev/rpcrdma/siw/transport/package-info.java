// SPDX-License-Identifier: Apache-2.0
/**
 * TCP below the stream machines: one channel ({@link dev.rpcrdma.siw.transport.Link}), what is read from it and what is
 * written to it. Knows nothing of queue pairs.
 *
 * <h2>Memory</h2>
 *
 * <p>Bytes are read in bulk into a staging buffer, checked there, and copied once to their place.
 * Small messages are gathered in a staging buffer and leave in one write; large payloads leave from
 * where they are, except mapped files, which are copied before their CRC is computed. Staging
 * buffers belong to a loop and are lent to a connection while it has bytes in them.
 */
package dev.rpcrdma.siw.transport;
