// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What TCP has not sent yet, or the peer's TCP not acknowledged, of the connection below software iWARP: the kernel
 * lists it. What is in that queue may be pages of the consumer's, which are read when they are sent.
 *
 * @param local this side's address
 * @param remote the peer's
 * @param folder of the kernel's tables
 */
record TcpSendQueue(InetSocketAddress local, InetSocketAddress remote, Path folder) {

  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int QUEUES = 4;
  private static final int HEX = 16;

  TcpSendQueue(InetSocketAddress local, InetSocketAddress remote) {
    this(local, remote, Path.of("/proc/self/net"));
  }

  /**
   * Whether nothing is in it. Reads a file of a line for each socket of this host: on a worker.
   *
   * @return true also if the connection is gone
   * @throws IOException if the kernel does not tell
   */
  boolean isEmpty() throws IOException {
    Path table = folder.resolve(local.getAddress() instanceof Inet4Address ? "tcp" : "tcp6");
    String from = inTable(local);
    String to = inTable(remote);
    try (BufferedReader lines = Files.newBufferedReader(table)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > QUEUES && fields[LOCAL].equals(from) && fields[REMOTE].equals(to)) {
          return Long.parseLong(fields[QUEUES].split(":")[0], HEX) == 0;
        }
      }
    }
    return true;
  }

  /** Words of 32 bits in the machine's order, then the port. */
  private static String inTable(InetSocketAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress().getAddress()).order(ByteOrder.nativeOrder());
    StringBuilder text = new StringBuilder();
    while (bytes.hasRemaining()) {
      text.append(String.format(Locale.ROOT, "%08X", bytes.getInt()));
    }
    return text.append(String.format(Locale.ROOT, ":%04X", address.getPort())).toString();
  }
}
