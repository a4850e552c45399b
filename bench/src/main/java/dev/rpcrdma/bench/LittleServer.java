// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.replies.ManyClients;
import dev.rpcrdma.bench.replies.ReplyPeer;
import java.io.IOException;

/** A server in a process of little memory, with many clients in another one. */
final class LittleServer {

  /**
   * What came of it.
   *
   * @param calls how many were made
   * @param failed how many of them failed, or did not end
   * @param resident the most memory of the machine that the server's process has had, in bytes
   */
  record Outcome(double calls, double failed, double resident) {}

  private LittleServer() {}

  /**
   * Has the clients call it.
   *
   * @param mebibytes of the server's heap, and as much direct memory
   * @param plan of the clients
   * @param clientOptions of their JVM
   * @return what came of it
   * @throws IOException if a process does not answer
   */
  static Outcome run(int mebibytes, ManyClients.Plan plan, String... clientOptions) throws IOException {
    try (PeerProcess server = PeerProcess.start(ReplyPeer.class, memory(mebibytes, "-D" + ReplyPeer.SMALL + "=true"));
        PeerProcess clients = PeerProcess.start(ManyClients.class, clientOptions)) {
      String[] said = clients.ask(plan.line(server.port(0))).split(" ");
      return new Outcome(Double.parseDouble(said[0]), Double.parseDouble(said[1]),
          Double.parseDouble(server.ask(ReplyPeer.RESIDENT)));
    }
  }

  /** Options of a JVM that has so much heap, and as much direct memory. */
  static String[] memory(int mebibytes, String... more) {
    String[] options = new String[2 + more.length];
    options[0] = "-Xmx" + mebibytes + "m";
    options[1] = "-XX:MaxDirectMemorySize=" + mebibytes + "m";
    System.arraycopy(more, 0, options, 2, more.length);
    return options;
  }
}
