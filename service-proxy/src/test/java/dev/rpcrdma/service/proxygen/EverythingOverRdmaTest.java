// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.proxygen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import io.vertx.serviceproxy.ServiceException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract over RDMA, by the same interface. */
class EverythingOverRdmaTest extends EverythingContract {

  private static final int CONNECT = 33;
  private static final int BEGIN = 35;
  private static final int CLOSE = 40;

  private RpcServer server;
  private RpcClient client;
  private RpcChannel channel;

  @Override
  protected Everything open(Everything implementation) {
    server = RpcServer.create(vertx).bind(Everything.class, implementation);
    Waiting.await(server.listen(SocketAddress.inetSocketAddress(0, "127.0.0.1")));
    client = RpcClient.create(vertx);
    channel = client.channel(SocketAddress.inetSocketAddress(server.actualPort(), "127.0.0.1"));
    return channel.proxy(Everything.class);
  }

  @Override
  protected Future<Void> end() {
    return client.close().compose(done -> server.close());
  }

  @Test
  @DisplayName("An object that is not there is null, and one that its service has closed is told from it")
  void noObject() {
    Session session = Waiting.await(proxy().connect("a"));
    assertThat(Waiting.await(session.nested(null))).isNull();
    // Over the wire, past the proxy, which does not call what it has closed.
    Waiting.await(session.close());
    assertThat(Waiting.awaitFailure(channel.call(RpcRequest.to(ServiceBinding.of(Everything.class).upperLayerBinding(),
        BEGIN).arguments(out -> out.int64(1).int64(2)).results(reader -> {
          assertThat(reader.int32()).isNotZero();
          assertThat(reader.int32()).isEqualTo(-1);
          throw new ServiceException(-1, reader.string(256));
        }).build()))).hasMessageStartingWith("There is no such Session");
  }

  /** Fails if the handler takes an object out of the table before it has read all of the call that closes it. */
  @Test
  @DisplayName("A call that closes an object, and has bytes behind its arguments, leaves the object as it is")
  void malformedClose() {
    UpperLayerBinding binding = ServiceBinding.of(Everything.class).upperLayerBinding();
    UUID id = Waiting.await(channel.call(RpcRequest.to(binding, CONNECT)
        .arguments(out -> out.bool(true).string("a")).results(reader -> {
          assertThat(reader.int32()).isZero();
          assertThat(reader.bool()).isTrue();
          return new UUID(reader.int64(), reader.int64());
        }).build()));
    RpcRequest.Builder<Integer> closing = RpcRequest.to(binding, CLOSE).results(XdrReader::int32);
    assertThat(Waiting.awaitFailure(channel.call(closing.arguments(
        out -> out.int64(id.getMostSignificantBits()).int64(id.getLeastSignificantBits()).int32(0)).build())))
        .hasMessageContaining("cannot decode the arguments");
    assertThat(service.closed).isEmpty();
    assertThat(Waiting.await(channel.call(closing.arguments(
        out -> out.int64(id.getMostSignificantBits()).int64(id.getLeastSignificantBits())).build()))).isZero();
    assertThat(Waiting.next(service.closed)).isEqualTo("a");
  }

  /** Fails if {@code HandlerCall.message} lets out what {@code getMessage} throws. */
  @Test
  @DisplayName("A failure that throws when it is asked for its message arrives with its class")
  void silent() {
    for (String how : List.of("silent", "silent, thrown")) {
      assertThat(Waiting.awaitFailure(proxy().fail(how))).isInstanceOfSatisfying(ServiceException.class,
          e -> assertThat(e.failureCode()).isEqualTo(how.equals("silent") ? -1 : 500))
          .hasMessage(EverythingImpl.SilentException.class.getName());
    }
  }

  @Test
  @DisplayName("A service without numbers says what it needs")
  void withoutNumbers() {
    assertThatThrownBy(() -> channel.proxy(Session.class)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("META-INF/rpcrdma/dev.rpcrdma.service.proxygen.Session.numbers");
  }

  @Test
  @DisplayName("The program has the numbers of the list, and a text in the RPC language")
  void program() {
    ServiceBinding<Everything> binding = ServiceBinding.of(Everything.class);
    assertThat(binding.upperLayerBinding().program()).isEqualTo(0x20060042);
    assertThat(binding.upperLayerBinding().procedure(12).orElseThrow().name()).isEqualTo("string");
    assertThat(binding.upperLayerBinding().procedure(35).orElseThrow().name()).isEqualTo("Session.begin");
    assertThat(binding.interfaceDefinition()).contains("begin_args", "opaque object[16];", "= 0x20060042;");
  }
}
