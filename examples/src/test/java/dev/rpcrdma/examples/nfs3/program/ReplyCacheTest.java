package dev.rpcrdma.examples.nfs3.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCall;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is done once, and what is done again. */
class ReplyCacheTest {

  private final ReplyCache cache = new ReplyCache();
  private int served;

  /** A call over a connection of its own, as a repetition is. */
  private record Call(String host, int xid, int procedure, String name) implements RpcCall {

    @Override
    public RpcConnection connection() {
      return (RpcConnection) Proxy.newProxyInstance(Call.class.getClassLoader(),
          new Class<?>[] {RpcConnection.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("remoteAddress")) {
              return SocketAddress.inetSocketAddress(
                  ThreadLocalRandom.current().nextInt(1, 60_000), host);
            }
            throw new UnsupportedOperationException(method.getName());
          });
    }

    @Override
    public OpaqueAuth credentials() {
      return OpaqueAuth.NONE;
    }

    @Override
    public int program() {
      return NfsBinding.PROGRAM;
    }

    @Override
    public int version() {
      return NfsBinding.VERSION;
    }

    @Override
    public XdrReader arguments() {
      return new XdrReader(ByteBuffer.wrap(new XdrWriter().string(name).toByteArray()));
    }

    @Override
    public long millisLeft() {
      return Long.MAX_VALUE;
    }
  }

  private Future<XdrEncoder> serve(String host, int xid, int procedure, String name) {
    return cache.serve(new Call(host, xid, procedure, name), () -> {
      served++;
      return Future.succeededFuture(writer -> {});
    });
  }

  @Test
  @DisplayName("RFC 1813 §4.5: a repetition is answered, not done")
  void repetitions() {
    Future<XdrEncoder> first = serve("1.2.3.4", 7, NfsBinding.REMOVE, "a");
    assertThat(serve("1.2.3.4", 7, NfsBinding.REMOVE, "a")).isSameAs(first);
    assertThat(served).isEqualTo(1);
    // Another client, another call, another procedure; and others that happen to have the same XID.
    serve("1.2.3.5", 7, NfsBinding.REMOVE, "a");
    serve("1.2.3.4", 8, NfsBinding.REMOVE, "a");
    serve("1.2.3.4", 7, NfsBinding.RMDIR, "a");
    serve("1.2.3.4", 7, NfsBinding.REMOVE, "b");
    assertThat(served).isEqualTo(5);
  }

  @Test
  void whatMayBeDoneTwiceIs() {
    serve("1.2.3.4", 7, NfsBinding.GETATTR, "a");
    serve("1.2.3.4", 7, NfsBinding.GETATTR, "a");
    assertThat(served).isEqualTo(2);
  }

  @Test
  void itForgetsTheOldest() {
    for (int xid = 0; xid <= 4096; xid++) {
      serve("1.2.3.4", xid, NfsBinding.REMOVE, "a");
    }
    serve("1.2.3.4", 4096, NfsBinding.REMOVE, "a");
    assertThat(served).isEqualTo(4097);
    serve("1.2.3.4", 0, NfsBinding.REMOVE, "a");
    assertThat(served).isEqualTo(4098);
  }
}
