// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs;

import java.nio.file.Path;

/**
 * A file to store.
 *
 * @param name its path below the directory, with slashes
 * @param path where it is
 * @param size its length in bytes
 */
record SourceFile(String name, Path path, int size) {}
