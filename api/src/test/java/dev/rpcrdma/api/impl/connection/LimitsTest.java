// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.api.fixture.EchoService;
import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.VerbsProviders;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a server with a narrow limit refuses to a peer that speaks verbs. */
class LimitsTest {

  private static final int MAX_CHUNK = 4096;
  private static final String ERR_CHUNK = "00000009 00000001 00000040 00000004 00000002";

  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private RpcBed bed;
  private RawClient client;

  private void serve(RpcServerOptions limits) {
    bed = new RpcBed(limits.setProvider("siw"), new RpcClientOptions().setProvider("siw"));
    client = new RawClient(raw, bed.address());
  }

  @AfterEach
  void othersAreServedAndNothingLeaks() {
    Waiting.await(bed.channel.call(EchoService.echo(new byte[10])));
    raw.close();
    bed.close();
  }

  /** A Long call of NEVER in so many bytes, which is pulled and then not answered. */
  private void longCall(int xid, int bytes) {
    byte[] call = RawClient.bytes("%08x 00000000 00000002 20060099 00000001 00000004 00000000"
        .formatted(xid) + "00000000 00000000 00000000");
    client.send("%08x 00000001 00000010 00000001 00000001 00000000".formatted(xid)
        + client.exposed(Arrays.copyOf(call, bytes)) + "00000000 00000000 00000000");
  }

  @Test
  @DisplayName("R-090 R-327: a chunk of more bytes than are allowed is answered ERR_CHUNK")
  void chunkBytes() {
    serve(new RpcServerOptions().setMaxChunkBytes(MAX_CHUNK));
    longCall(9, MAX_CHUNK + 4);
    assertThat(client.answer()).isEqualTo(ERR_CHUNK);
  }

  @Test
  @DisplayName("R-327: a chunk of more bytes than there is memory for is answered ERR_CHUNK")
  void poolBytes() {
    bed = new RpcBed(new RpcServerOptions().setProvider("siw").setMaxPoolBytes(1 << 20),
        new RpcClientOptions().setProvider("siw").setMaxPoolBytes(1 << 20));
    client = new RawClient(raw, bed.address());
    longCall(9, 2 << 20);
    assertThat(client.answer()).isEqualTo(ERR_CHUNK);
  }

  @Test
  @DisplayName("R-327 B-071: a message of more segments than are allowed is answered ERR_CHUNK")
  void segments() {
    serve(new RpcServerOptions().setMaxSegments(2));
    String segment = "00000001 00000000 00000abc 00000014 00000000 00000000";
    client.send("00000009 00000001 00000010 00000001" + segment + segment + segment
        + "00000000 00000000 00000000");
    assertThat(client.answer()).isEqualTo(ERR_CHUNK);
  }

  @Test
  @DisplayName("R-327: calls that are not answered hold what they brought, and others wait for that")
  void readBytesInFlight() {
    serve(new RpcServerOptions().setMaxReadBytesInFlight(6000));
    longCall(8, MAX_CHUNK);
    Waiting.until(() -> bed.service.never.size() == 1);
    longCall(9, MAX_CHUNK);
    bed.service.never.get(0).complete(writer -> { });
    assertThat(client.answer()).isEqualTo("00000008 00000001 00000040 00000000 00000000 00000000"
        + " 00000000 00000008 00000001 00000000 00000000 00000000 00000000");
    client.receive();
    Waiting.until(() -> bed.service.never.size() == 2);
    bed.service.never.get(1).complete(writer -> { });
  }
}
