// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcCaller;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.protocol.binding.ReplyBound;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.NeedsTshark;
import dev.rpcrdma.testkit.lab.Tshark;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tshark makes of our own messages; it knows RPC-over-RDMA, and not our programs. */
@DisplayName("Captured calls, judged by tshark")
@Tag("large")
class CapturedCallsTest {

  @TempDir
  private Path directory;

  private Path capture() {
    return directory.resolve("calls.pcapng");
  }

  private RpcBed bed(int inlineSize) {
    return bed(inlineSize, true);
  }

  private RpcBed bed(int inlineSize, boolean provideReplies) {
    return new RpcBed(new RpcServerOptions().setProvider("siw").setInlineSize(inlineSize)
            .setProvideReplies(provideReplies),
        new RpcClientOptions().setProvider("siw").setInlineSize(inlineSize)
            .setCapture(capture().toString()));
  }

  @ParameterizedTest(name = "messages of {0} bytes")
  @NeedsTshark
  @ValueSource(ints = {1024, 4096, 16_384})
  @DisplayName("R-061 R-100 R-101 R-230 R-261: all forms of message, of all sizes, in both directions")
  void allForms(int inlineSize) {
    BlockingQueue<RpcConnection> accepted = new LinkedBlockingQueue<>();
    try (RpcBed bed = bed(inlineSize)) {
      bed.server.connectionHandler(accepted::add);
      bed.channel.bind(new EchoService());
      Waiting.await(bed.channel.connect());
      RpcConnection toClient = Waiting.next(accepted);
      for (int length : new int[] {0, 1, 900, 1001, 4000, 5001, 70_003, 300_001}) {
        for (RpcCaller caller : new RpcCaller[] {bed.channel, toClient}) {
          Waiting.await(caller.call(EchoService.echo(new byte[length])));
          Waiting.await(caller.call(EchoService.echoPlaced(DataItem.of(new byte[length]))));
          Waiting.await(caller.call(EchoService.echoUnbounded(new byte[length])));
        }
      }
    }
    Tshark.judge(capture());
    assertThat(Tshark.count(capture(), "_ws.malformed")).isZero();
    for (String form : new String[] {"rpcordma.msg_type == 0", "rpcordma.msg_type == 1",
        "rpcordma.reads_count > 0 && rpcordma.position > 0",
        "rpcordma.reads_count > 0 && rpcordma.position == 0", "rpcordma.writes_count > 0",
        "rpcordma.reply_count > 0", "rpcordma.msg_type == 3"}) {
      assertThat(Tshark.count(capture(), form)).as(form).isPositive();
    }
  }

  @Test
  @NeedsTshark
  @DisplayName("R-145 R-153: calls that are refused, by RPC and by RPC-over-RDMA")
  void refusals() {
    try (RpcBed bed = bed(4096, false)) {
      Waiting.awaitFailure(bed.channel.call(RpcRequest.to(77, 1, 0).build()));
      Waiting.awaitFailure(bed.channel.call(RpcRequest.to(EchoService.PROGRAM, 9, 0).build()));
      Waiting.awaitFailure(bed.channel.call(EchoService.call(EchoService.STATUS)));
      Waiting.awaitFailure(bed.channel.call(EchoService.call(EchoService.THROW)));
      // The reply finds no room: RDMA_ERROR, ERR_CHUNK.
      Waiting.awaitFailure(bed.channel.call(RpcRequest.to(EchoService.BINDING, EchoService.ECHO)
          .arguments(writer -> writer.opaque(new byte[9000]))
          .replyBound(ReplyBound.of(8)).build()));
      Waiting.await(bed.channel.call(EchoService.echo(new byte[1])));
    }
    Tshark.judge(capture());
    assertThat(Tshark.count(capture(), "_ws.malformed")).isZero();
    assertThat(Tshark.count(capture(), "rpcordma.msg_type == 4 && rpcordma.errcode == 2"))
        .isEqualTo(1);
    for (int status : new int[] {1, 2, 3, 5}) {
      assertThat(Tshark.count(capture(), "rpc.state_accept == " + status)).as("status %d", status)
          .isPositive();
    }
  }
}
