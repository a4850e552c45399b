package hello;

import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;

/** Serves the greeter, calls it over RDMA, and ends. */
public final class Main {

  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx();
    Greeter service = name -> Future.succeededFuture("Hello, " + name + "!");
    RpcServer.create(vertx)
        .bind(Greeter.class, service)
        .listen(SocketAddress.inetSocketAddress(0, "127.0.0.1"))
        .compose(server -> RpcClient.create(vertx)
            .channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"))
            .proxy(Greeter.class)
            .greet("RDMA"))
        .onSuccess(System.out::println)
        .onFailure(failure -> {
          failure.printStackTrace();
          System.exit(1);
        })
        .eventually(() -> vertx.close());
  }
}
