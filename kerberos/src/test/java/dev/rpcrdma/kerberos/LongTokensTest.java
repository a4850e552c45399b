// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcServer;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.kerberos.gss.GssCredential;
import dev.rpcrdma.kerberos.gss.GssInitResult;
import dev.rpcrdma.kerberos.gss.GssProcedure;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.testkit.Waiting;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that make a context, and are longer than the part of a Long call that is pulled for its verdict. */
@Tag("large")
class LongTokensTest {

  private static final String SERVICE = "echo/127.0.0.1";

  /** Fails if {@code Responder.goOn} asks the listener about the null procedure that makes a context. */
  @ParameterizedTest
  @ValueSource(ints = {20_000, 40_000, 100_000})
  @DisplayName("R-329: a token of any length is judged by the mechanism, and not taken for a NULL call")
  void judged(int length) {
    Vertx vertx = Vertx.vertx();
    try (KerberosRealm realm = new KerberosRealm("alice", SERVICE);
        ContextBed bed = new ContextBed(RpcServer.builder(vertx)
            .with(new RpcServerOptions().setProvider("siw").setKerberos(realm.options(SERVICE)))
            .build().bind(new EchoService()))) {
      RawClient rdma = new RawClient(bed.verbs, bed.address);
      XdrWriter writer = new XdrWriter();
      new CallHeader(9, EchoService.PROGRAM, EchoService.BINDING.version(), 0,
          new GssCredential(GssProcedure.INIT, 0, GssService.NONE, new byte[0]).encode()).encode(writer);
      writer.opaque(new byte[length]);
      rdma.send("00000009 00000001 00000010 00000001 00000001 00000000" + rdma.exposed(writer.toByteArray())
          + "00000000 00000000 00000000");
      XdrReader reply = ContextBed.content(RawClient.bytes(rdma.answer()));
      assertThat(ReplyHeader.decode(reply)).isInstanceOfSatisfying(ReplyHeader.Accepted.class,
          accepted -> assertThat(accepted.status()).isEqualTo(AcceptStatus.SUCCESS));
      assertThat(reply.remaining()).as("an rpc_gss_init_res").isPositive();
      assertThat(GssInitResult.decode(reply).isGood()).isFalse();
    } finally {
      Waiting.await(vertx.close());
    }
  }
}
