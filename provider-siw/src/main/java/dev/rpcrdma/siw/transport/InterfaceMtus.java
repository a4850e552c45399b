// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.transport;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * The MTU of the interface that has a local address, as it was at most a second ago.
 *
 * <p>Asking the system walks through all interfaces of the machine, which takes a quarter of the time that a connection
 * over loopback needs to be made. An MTU that has changed since makes FPDUs that do not fit into one segment, which
 * are slower and always right. There are no more entries than this machine has addresses.
 */
final class InterfaceMtus {

  static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Answer(int mtu, long at) {}

  private final ToIntFunction<InetAddress> system;
  private final LongSupplier nanoTime;
  private final Map<InetAddress, Answer> answers = new ConcurrentHashMap<>();

  /**
   * Knows nothing yet.
   *
   * @param system asks for the MTU
   * @param nanoTime the clock
   */
  InterfaceMtus(ToIntFunction<InetAddress> system, LongSupplier nanoTime) {
    this.system = system;
    this.nanoTime = nanoTime;
  }

  int of(InetAddress address) {
    long now = nanoTime.getAsLong();
    Answer known = answers.get(address);
    if (known == null || now - known.at() >= FRESH_NANOS) {
      known = new Answer(system.applyAsInt(address), now);
      answers.put(address, known);
    }
    return known.mtu();
  }
}
