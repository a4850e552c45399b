// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.binding.Replay;
import dev.rpcrdma.protocol.requester.CallHandle;
import dev.rpcrdma.protocol.requester.Said;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.session.ChannelMachine;
import dev.rpcrdma.protocol.session.ChannelSettings;
import dev.rpcrdma.protocol.session.Repetition;
import dev.rpcrdma.protocol.time.Deadlines;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which calls leave what has carried them to others. */
class RenewedCallsTest {

  private final MachineBed bed = new MachineBed(true);
  private final MachineBed.Heard heard = new MachineBed.Heard();
  private int answered;

  private TestCall make(TestCall call) {
    bed.machine.call(call.carried(), bed.now + MachineBed.SECOND);
    bed.settle();
    return call;
  }

  private void answer() {
    String xid = "%08x".formatted(MachineBed.FIRST_XID + answered++);
    bed.receive(xid + "00000001 00000004 00000000" + MachineBed.NO_LISTS + xid
        + "00000001 00000000 00000000 00000000 00000000 0000002a");
  }

  /** Fails if {@code OutboundCall.renew} leaves the call taken on. */
  @Test
  @DisplayName("What has carried a call that is answered carries another one, which the bound on waiting calls counts")
  void renewed() {
    TestCall call = make(new TestCall(Said.nothing(4), heard));
    assertThat(call.carried().renew()).as("without a reply").isFalse();
    answer();
    assertThat(heard.events).containsExactly("reply 0000002a");
    assertThat(call.carried().renew()).isTrue();
    for (int waiting = 0; waiting <= bed.machine.settings().maxQueuedCalls() + MachineBed.CREDITS; waiting++) {
      make(new TestCall(Said.nothing(4), new MachineBed.Heard()));
    }
    make(call);
    assertThat(heard.events).containsExactly("reply 0000002a", "RESOURCES");
  }

  /** Fails if {@code OutboundCall.renew} does not ask what another connection knows of the call. */
  @Test
  @DisplayName("What another connection has sent is not used again")
  void sentBefore() {
    TestCall call = make(new TestCall(Said.nothing(4), heard).sentBefore(bed.xids));
    answer();
    assertThat(heard.events).hasSize(1);
    assertThat(call.carried().renew()).isFalse();
  }

  /** Fails if {@code OutboundCall.renew} does not ask for the plan. */
  @Test
  @DisplayName("What has exposed memory is not used again")
  void exposed() {
    TestCall call = make(new TestCall(
        Said.of(new XdrWriter(), List.of(new Said.Room(2000, Optional.empty())), 8), heard));
    assertThat(bed.exposed).isNotEmpty();
    bed.lose("cut");
    assertThat(heard.events).containsExactly("CONNECTION_LOST");
    assertThat(call.carried().renew()).isFalse();
  }

  /** Fails if {@code OutboundCall.renew} does not ask whether the call was given up. */
  @Test
  @DisplayName("What was given up after it had its outcome is not used again")
  void cancelledLate() {
    TestCall call = make(new TestCall(Said.nothing(4), heard));
    answer();
    call.cancel(bed.now);
    assertThat(call.carried().renew()).isFalse();
  }

  private ChannelMachine channel() {
    ChannelMachine channel = new ChannelMachine(new ChannelSettings(Replay.SAFE, 3, 3, 1000, 4000), () -> { },
        new Deadlines(), new Random(1));
    channel.met(Optional.empty(), false);
    channel.up((call, deadline) -> bed.machine.call(call, deadline), bed.now);
    return channel;
  }

  private CallHandle make(ChannelMachine channel, TestCall call) {
    CallHandle handle = channel.call(call, Repetition.IN_SESSION, bed.now + MachineBed.SECOND);
    bed.settle();
    return handle;
  }

  /** Fails if {@code ChannelCall.cancel} does not ask whose call it is. */
  @Test
  @DisplayName("Who gives up a call that is answered does not give up the one that is carried by the same")
  void staleHandle() {
    ChannelMachine channel = channel();
    TestCall first = new TestCall(Said.nothing(4), new MachineBed.Heard());
    CallHandle handle = make(channel, first);
    answer();
    TestCall second = new TestCall(Said.nothing(4), heard);
    assertThat(make(channel, second)).isSameAs(handle);
    handle.cancel(first, bed.now);
    bed.settle();
    assertThat(heard.events).isEmpty();
    handle.cancel(second, bed.now);
    bed.settle();
    assertThat(heard.events).containsExactly("CANCELLED");
  }

  /** Fails if {@code ChannelCall.outcome} lets itself be used before its caller has heard. */
  @Test
  @DisplayName("A call that an outcome makes is carried by another than the one that is answered")
  void madeByOutcome() {
    ChannelMachine channel = channel();
    CallHandle[] made = new CallHandle[1];
    CallHandle first = make(channel, new TestCall(Said.nothing(4), new MachineBed.Heard() {
      @Override
      public void replied(XdrReader results) {
        made[0] = channel.call(new TestCall(Said.nothing(4), heard), Repetition.IN_SESSION,
            bed.now + MachineBed.SECOND);
      }
    }));
    answer();
    assertThat(made[0]).isNotSameAs(first);
    bed.settle();
    answer();
    assertThat(heard.events).containsExactly("reply 0000002a");
  }
}
