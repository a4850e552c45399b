// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.journey;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.examples.moved.Greeter;
import dev.rpcrdma.examples.moved.Greetings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;

/** A program that serves greetings, or makes one small call between two marks for who watches it. */
final class SmallCall {

  private static final int WARM_UP = 5;

  private SmallCall() {}

  /** Is loaded when what is watched begins. */
  static final class Begin {

    private Begin() {}

    static void mark() {}
  }

  /** Is loaded when it has ended. */
  static final class End {

    private End() {}

    static void mark() {}
  }

  /**
   * Serves at a port that it prints, if there are no arguments, until its input ends; else calls.
   *
   * @param arguments the server's port; 0 for a server in this process
   */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    int port = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
    if (port == 0) {
      RpcServer server = await(RpcServer.create(vertx).bind(Greetings.class, new Greeter())
          .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
      port = server.actualPort();
    }
    if (arguments.length == 0) {
      System.out.println("port " + port);
      System.in.transferTo(OutputStream.nullOutputStream());
    } else {
      call(RpcClient.create(vertx).channel(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
          .proxy(Greetings.class));
    }
    await(vertx.close());
  }

  private static void call(Greetings greetings) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      await(greetings.greet("world"));
    }
    Begin.mark();
    await(greetings.greet("world"));
    End.mark();
  }

  private static <T> T await(Future<T> outcome) throws Exception {
    return outcome.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
