// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for what has to be told one before it listens, or is not to find anybody. */
public final class FreePort {

  private FreePort() {}

  /**
   * Finds one.
   *
   * @return a TCP port of loopback that nobody listened at a moment ago
   */
  public static int find() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
