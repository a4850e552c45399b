// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

/**
 * A blob without its bytes.
 *
 * @param name its name
 * @param size its length in bytes
 * @param digest the SHA-256 of its bytes, as 64 hexadecimal digits
 */
public record BlobInfo(String name, long size, String digest) {}
