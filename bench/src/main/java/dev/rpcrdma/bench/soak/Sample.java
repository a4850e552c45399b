// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.soak;

import dev.rpcrdma.bench.measure.Footprint;
import java.io.File;
import java.util.Optional;

/**
 * What a process holds on to, after garbage collections.
 *
 * @param bytes heap and direct memory together
 * @param descriptors open files and sockets
 * @param threads running threads, as the JVM estimates them for the group of the main thread
 */
public record Sample(double bytes, double descriptors, double threads) {

  static Sample take() {
    long bytes = Footprint.bytes();
    int descriptors = Optional.ofNullable(new File("/proc/self/fd").list())
        .map(names -> names.length).orElse(0);
    return new Sample(bytes, descriptors, Thread.activeCount());
  }
}
