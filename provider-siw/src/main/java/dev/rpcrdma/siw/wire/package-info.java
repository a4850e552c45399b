// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of iWARP: MPA startup frames and FPDUs (RFC 5044, RFC 6581), DDP headers (RFC 5041),
 * RDMAP control, Read Requests and Terminates (RFC 5040).
 *
 * <p>What is needed for each FPDU is a set of static accessors over a {@link java.nio.ByteBuffer}
 * with absolute indices, which judge nothing and allocate nothing. What is needed once per
 * connection is a record. All fields are big-endian.
 */
package dev.rpcrdma.siw.wire;
