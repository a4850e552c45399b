// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for what has to be told one before it listens, or is not to find anybody.
 *
 * <p>They lie below those that systems give to sockets which ask for any port (from 32768 on Linux,
 * from 49152 elsewhere): between the finding and the listening nobody is given them by chance. Each
 * is found once in a process, and each process begins elsewhere.
 */
public final class FreePort {

  private static final int FIRST = 15_000;
  private static final int PORTS = 15_000;
  // Pids of processes that run at the same time are mostly neighbours: 97 ports for each.
  private static final AtomicInteger NEXT = new AtomicInteger((int) (ProcessHandle.current().pid() * 97 % PORTS));

  private FreePort() {}

  /**
   * Finds one.
   *
   * @return a TCP port of loopback that nobody listened at a moment ago, and that was not found before
   */
  public static int find() {
    for (int tries = 0; tries < PORTS; tries++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), PORTS);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("No free port from " + FIRST + " to " + (FIRST + PORTS - 1));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
