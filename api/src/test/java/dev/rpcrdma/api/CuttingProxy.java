package dev.rpcrdma.api;

import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** A port in front of another one, whose connections can be cut, and none made for a while. */
final class CuttingProxy implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final NetClient client = vertx.createNetClient();
  private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
  private final NetServer server;
  private volatile boolean cut;

  /** Goes to a port that need not be known before the first connection. */
  CuttingProxy(IntSupplier port) {
    server = vertx.createNetServer().connectHandler(incoming -> {
      if (cut) {
        incoming.close();
        return;
      }
      incoming.pause();
      client.connect(port.getAsInt(), RpcBed.HOST).onSuccess(outgoing -> {
        join(incoming, outgoing);
        incoming.pipeTo(outgoing);
        outgoing.pipeTo(incoming);
        if (cut) {
          cut();
        }
      }).onFailure(e -> incoming.close());
    });
    Waiting.await(server.listen(0, RpcBed.HOST));
  }

  private void join(NetSocket one, NetSocket other) {
    open.add(one);
    open.add(other);
    one.closeHandler(closed -> end(one, other));
    other.closeHandler(closed -> end(other, one));
  }

  private void end(NetSocket closed, NetSocket other) {
    open.remove(closed);
    other.close();
  }

  int port() {
    return server.actualPort();
  }

  void cut() {
    cut = true;
    open.forEach(NetSocket::close);
  }

  void mend() {
    cut = false;
  }

  @Override
  public void close() {
    Waiting.await(vertx.close());
  }
}
