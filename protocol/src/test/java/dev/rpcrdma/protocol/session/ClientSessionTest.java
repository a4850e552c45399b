// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.responder.IncomingCalls;
import dev.rpcrdma.protocol.responder.Reply;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.wire.InstanceId;
import dev.rpcrdma.protocol.wire.SessionBlock;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client knows of its server, be it of this library or a foreign one. */
class ClientSessionTest {

  private static final SessionSettings SETTINGS = new SessionSettings(3, 100, 0, 4, 1000, 2, 100);
  private static final Optional<SessionBlock> SERVER =
      Optional.of(SessionBlock.ofServer(5, new InstanceId(1, 2)));

  private final ClientSession client = new ClientSession(SETTINGS, 4, new Deadlines(), new Random(1));
  private final ChannelMachine channel = new ChannelMachine(
      new ChannelSettings(Replay.SAFE, 3, 3, 1000, 4000), () -> { }, new Deadlines(), new Random(1));

  private static Reply reply() {
    return Reply.success(7, new XdrWriter().int32(1).toPayloadStream());
  }

  private static IncomingCalls.Repeated call(int xid, int argument) {
    return IncomingCalls.repeated(xid, new byte[] {(byte) argument}, OpaqueAuth.NONE);
  }

  private boolean executed(IncomingCall call) {
    return client.arrived(call, 0) && client.admit(call, false, 0);
  }

  @Test
  @DisplayName("R-159: a server of this library is answered again by slot and XID, a foreign one by what it calls")
  void remembered() {
    for (boolean foreign : new boolean[] {false, true}) {
      client.met(foreign ? Optional.empty() : SERVER, channel);
      IncomingCall first = call(9, 1).call();
      assertThat(executed(first)).isTrue();
      first.record().replied(() -> reply());
      IncomingCalls.Repeated again = call(9, 1);
      assertThat(executed(again.call())).as("foreign: %s", foreign).isFalse();
      assertThat(again.answers()).containsExactly("4 bytes");
      // The same XID with other arguments is another call only of a server that knows nothing of slots.
      assertThat(executed(call(9, 2).call())).as("foreign: %s", foreign).isEqualTo(foreign);
      client.clear();
      assertThat(executed(call(9, 1).call())).as("forgotten").isTrue();
    }
  }

  @Test
  @DisplayName("R-152: calls whose tags the server's device refuses are counted for this server, and not for the next")
  void hopeless() {
    client.met(SERVER, channel);
    for (int i = 0; i < 3; i++) {
      assertThat(client.hopeless(7)).isFalse();
      client.operationsFailed(7);
    }
    assertThat(client.hopeless(7)).isTrue();
    client.met(Optional.of(SessionBlock.ofServer(5, new InstanceId(1, 3))), channel);
    assertThat(client.hopeless(7)).isFalse();
  }

  @Test
  @DisplayName("R-152: what a foreign server's device has refused is not held against the next foreign server")
  void foreignThenOwnThenForeign() {
    client.met(Optional.empty(), channel);
    for (int i = 0; i < 3; i++) {
      client.operationsFailed(7);
    }
    assertThat(client.hopeless(7)).isTrue();
    client.met(SERVER, channel);
    client.met(Optional.empty(), channel);
    assertThat(client.hopeless(7)).isFalse();
  }

  @Test
  @DisplayName("The channel hears of the session that the server shows")
  void told() {
    client.met(SERVER, channel);
    assertThat(channel.session()).contains(new InstanceId(1, 2));
    client.met(Optional.empty(), channel);
    assertThat(channel.session()).isEmpty();
  }

  @Test
  @DisplayName("Slots are the server's, and the client's own where the server says nothing of them")
  void slots() {
    assertThat(free()).isEqualTo(16);
    client.met(Optional.empty(), channel);
    assertThat(free()).isEqualTo(16);
    client.met(SERVER, channel);
    assertThat(free()).isEqualTo(32);
    client.met(Optional.empty(), channel);
    assertThat(free()).isEqualTo(16);
  }

  private int free() {
    int[] taken = new int[64];
    int count = 0;
    while (client.xids().available() > 0) {
      taken[count++] = client.xids().take();
    }
    for (int i = 0; i < count; i++) {
      client.xids().free(taken[i]);
    }
    return count;
  }

  @Test
  @DisplayName("A client shows who it is, what it remembers, and a number that rises")
  void hello() {
    SessionBlock first = client.hello();
    assertThat(first.remembered()).isEmpty();
    assertThat(first.slotBits()).isEqualTo(3);
    client.met(SERVER, channel);
    SessionBlock second = client.hello();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.remembered()).contains(new InstanceId(1, 2));
    assertThat(second.number()).isEqualTo(first.number() + 1);
    client.met(Optional.empty(), channel);
    assertThat(client.hello().remembered()).isEmpty();
  }
}
