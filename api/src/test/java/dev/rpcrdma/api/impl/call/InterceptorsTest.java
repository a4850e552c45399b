// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.CallInterceptor;
import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRejectedException;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcStatusException;
import dev.rpcrdma.api.ServiceInterceptor;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands between applications and calls, and between calls and services. */
class InterceptorsTest {

  private final Vertx vertx = Vertx.vertx();
  private final EchoService service = new EchoService();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final RpcServer.RpcServerBuilder ofServer = RpcServer.builder(vertx);
  private final RpcClient.RpcClientBuilder ofClient = RpcClient.builder(vertx);
  private RpcServer server;

  @AfterEach
  void close() {
    Waiting.await(vertx.close());
  }

  private RpcChannel open() {
    server = ofServer.build().bind(service);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, RpcBed.HOST)));
    return ofClient.build().channel(SocketAddress.inetSocketAddress(server.actualPort(), RpcBed.HOST));
  }

  /** Says when a call goes by, and when its outcome does. */
  private CallInterceptor noting(String name) {
    return new CallInterceptor() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
        events.add(name + " " + request.name());
        return next.call(request).onComplete(done -> events.add(name + " " + done.succeeded()));
      }
    };
  }

  private ServiceInterceptor served(String name) {
    return (call, next) -> {
      events.add(name + " " + call.attributes().put("last", name));
      return next.handle(call).onComplete(done -> events.add(name + " " + done.succeeded()));
    };
  }

  @Test
  @DisplayName("Interceptors hear of calls in their order and of outcomes in the other, with attributes of the call")
  void order() {
    ofClient.addCallInterceptor(noting("outer")).addCallInterceptor(noting("inner"));
    ofServer.addServiceInterceptor(served("first")).addServiceInterceptor(served("second"));
    RpcChannel channel = open();
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
    Waiting.until(() -> events.size() == 8);
    assertThat(events).containsExactly("outer ECHO", "inner ECHO", "first null", "second first", "second true",
        "first true", "inner true", "outer true");
    events.clear();
    Waiting.await(Waiting.await(channel.connect()).call(EchoService.echo(new byte[1])));
    Waiting.until(() -> events.size() == 8);
    assertThat(events).as("also over a connection").startsWith("outer ECHO", "inner ECHO", "first null");
  }

  @Test
  @DisplayName("Options and headers can be changed on their way")
  void options() {
    BlockingQueue<String> tenants = new LinkedBlockingQueue<>();
    ofClient.addCallInterceptor(CallInterceptor.options(
        (request, options) -> options.withHeader("tenant", request.name().toLowerCase())));
    ofServer.addServiceInterceptor((call, next) -> {
      tenants.add(call.headers().get("tenant"));
      return next.handle(call);
    });
    Waiting.await(open().call(EchoService.echo(new byte[1])));
    assertThat(Waiting.next(tenants)).isEqualTo("echo");
  }

  @Test
  @DisplayName("An interceptor may answer by itself, refuse, and make a call again")
  void answers() {
    ofServer.addServiceInterceptor((call, next) -> switch (call.headers().getOrDefault("do", "")) {
      case "answer" -> Future.succeededFuture(writer -> writer.opaque(new byte[] {7}));
      case "refuse" -> Future.failedFuture(new RpcStatusException(AcceptStatus.PROC_UNAVAIL, "on purpose"));
      default -> next.handle(call);
    });
    ofClient.addCallInterceptor(new CallInterceptor() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
        return next.call(request).recover(e -> next.call(request.withOptions(CallOptions.DEFAULT)));
      }
    });
    RpcChannel channel = open();
    assertThat(Waiting.await(channel.call(with("answer")))).isEqualTo(Buffer.buffer(new byte[] {7}));
    assertThat(Waiting.await(channel.call(with("refuse")))).isEqualTo(Buffer.buffer(new byte[] {1}));
  }

  private static RpcRequest<Buffer> with(String what) {
    return EchoService.echo(new byte[] {1}).withOptions(CallOptions.DEFAULT.withHeader("do", what));
  }

  @Test
  @DisplayName("An interceptor that throws, or answers nothing, fails its call alone")
  void misbehaving() {
    ofServer.addServiceInterceptor((call, next) -> {
      switch (call.headers().getOrDefault("do", "")) {
        case "throw":
          throw new IllegalStateException("on purpose");
        case "nothing":
          return null;
        default:
          return next.handle(call);
      }
    });
    ofClient.addCallInterceptor(new CallInterceptor() {
      @Override
      public <T> Future<T> call(RpcRequest<T> request, RpcCaller next) {
        if (request.options().headers().containsValue("throw here")) {
          throw new IllegalStateException("on purpose");
        }
        return request.options().headers().containsValue("nothing here") ? null : next.call(request);
      }
    });
    RpcChannel channel = open();
    for (String what : List.of("throw", "nothing")) {
      assertThat(Waiting.awaitFailure(channel.call(with(what)))).isInstanceOfSatisfying(RpcRejectedException.class,
          e -> assertThat(e.acceptStatus()).contains(AcceptStatus.SYSTEM_ERR));
    }
    assertThat(Waiting.awaitFailure(channel.call(with("throw here")))).hasMessage("on purpose");
    assertThat(Waiting.awaitFailure(channel.call(with("nothing here")))).isInstanceOf(NullPointerException.class);
    Waiting.await(channel.call(EchoService.echo(new byte[1])));
  }

  @Test
  @DisplayName("The reverse direction has its own: a server's around its calls, a client's around its services")
  void reverse() {
    ofServer.addCallInterceptor(noting("server"));
    ofClient.addServiceInterceptor(served("client"));
    BlockingQueue<RpcConnection> connections = new LinkedBlockingQueue<>();
    RpcChannel channel = open();
    server.connectionHandler(connections::add);
    channel.bind(service);
    Waiting.await(channel.connect());
    RpcConnection accepted = Waiting.next(connections);
    for (RpcCaller caller : List.of(accepted, accepted.peer())) {
      events.clear();
      Waiting.await(caller.call(EchoService.echo(new byte[1])));
      Waiting.until(() -> events.size() == 4);
      assertThat(events).containsExactly("server ECHO", "client null", "client true", "server true");
    }
  }
}
