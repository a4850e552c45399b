// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench.replies;

import dev.rpcrdma.api.Payload;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.ResidentSet;
import dev.rpcrdma.bench.measure.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** The server's process. */
public final class ReplyPeer {

  /** System property of a process that has little memory, and no large results. */
  public static final String SMALL = "rpcrdma.bench.small";
  /** System property of a process that has one server for each way of being watched. */
  public static final String WATCHED = "rpcrdma.bench.watched";
  /** Asks for the most memory that the process has had, in bytes. */
  public static final String RESIDENT = "resident";
  /** The largest result. */
  private static final int LARGEST = 256 << 20;

  private ReplyPeer() {}

  /**
   * Serves until standard input ends; whatever else is asked, tells its processor time in nanoseconds.
   *
   * @param arguments none
   * @throws Exception if it cannot be started
   */
  public static void main(String[] arguments) throws Exception {
    StringJoiner ports = new StringJoiner(" ");
    for (Watched watched : Boolean.getBoolean(WATCHED) ? Watched.values() : new Watched[] {Watched.NOT}) {
      Vertx vertx = watched.vertx(new VertxOptions());
      RpcServer server = watched.server(vertx).bind(
          new ReplyService(Payload.allocate(vertx, Boolean.getBoolean(SMALL) ? 1 : LARGEST)));
      Waits.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      ports.add(Integer.toString(server.actualPort()));
    }
    System.out.println(ports);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
      System.out.println(asked.equals(RESIDENT) ? ResidentSet.peak() : CpuTime.nanos());
    }
    System.exit(0);
  }
}
