package dev.rpcrdma.protocol.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.connection.IncomingCall;
import dev.rpcrdma.protocol.connection.IncomingCalls;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.PayloadStream;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is remembered of calls, and for how long. */
class ReplyCacheTest {

  private final ReplyCache cache = new ReplyCache(3, 100);
  private final List<String> answers = new ArrayList<>();
  private final ReplyCache.Answers connection = new ReplyCache.Answers() {
    @Override
    public void answerAgain(IncomingCall call, PayloadStream reply) {
      answers.add(call.xid() + ": " + reply.length() + " bytes, "
          + reply.items().size() + " items");
    }

    @Override
    public void answerLost(IncomingCall call) {
      answers.add(call.xid() + ": lost");
    }
  };

  private IncomingCall call(int xid) {
    return IncomingCalls.inline(xid, new byte[] {1, 2, 3});
  }

  private static PayloadStream reply(int bytes) {
    return new XdrWriter().fixedOpaque(new byte[bytes]).toPayloadStream();
  }

  private void execute(IncomingCall call, int bytes) {
    assertThat(cache.admit(call, connection)).isTrue();
    IncomingCalls.replied(call, reply(bytes));
  }

  @Test
  @DisplayName("B-096: who repeats a call that is executed waits for its end")
  void repeatedDuringExecution() {
    IncomingCall first = call(7);
    assertThat(cache.admit(first, connection)).isTrue();
    assertThat(cache.admit(call(7), connection)).isFalse();
    assertThat(cache.admit(call(7), connection)).isFalse();
    assertThat(answers).isEmpty();
    IncomingCalls.replied(first, reply(8));
    assertThat(answers).containsExactly("7: 8 bytes, 0 items", "7: 8 bytes, 0 items");
    assertThat(cache.admit(call(7), connection)).isFalse();
    assertThat(answers).hasSize(3);
  }

  @Test
  @DisplayName("B-095: a call is known again however it is cut into chunks, with or without padding")
  void otherChunks() {
    byte[] item = {9, 8, 7, 6, 5};
    IncomingCall inline = IncomingCalls.withItem(7, item, false, false);
    execute(inline, 8);
    assertThat(cache.admit(IncomingCalls.withItem(7, item, true, false), connection)).isFalse();
    assertThat(cache.admit(IncomingCalls.withItem(7, item, true, true), connection)).isFalse();
    assertThat(answers).hasSize(2);
    byte[] other = {9, 8, 7, 6, 4};
    assertThat(cache.admit(IncomingCalls.withItem(7, other, true, false), connection)).isTrue();
  }

  @Test
  @DisplayName("Another call under an XID that was used before is a new call")
  void sameXid() {
    execute(call(7), 8);
    IncomingCall other = IncomingCalls.inline(7, new byte[] {1, 2, 4});
    execute(other, 12);
    assertThat(cache.admit(IncomingCalls.inline(7, new byte[] {1, 2, 4}), connection)).isFalse();
    assertThat(answers).containsExactly("7: 12 bytes, 0 items");
    // While it is executed, nobody could tell the repetitions of the two apart.
    assertThat(cache.admit(call(8), connection)).isTrue();
    assertThat(cache.admit(IncomingCalls.inline(8, new byte[] {5}), connection)).isTrue();
  }

  @Test
  @DisplayName("The last replies are kept, and no more bytes than allowed; no call is executed again"
      + " for want of its reply")
  void bounds() {
    execute(call(1), 60);
    execute(call(2), 60);
    assertThat(cache.bytes()).isEqualTo(60);
    execute(call(3), 120);
    for (int xid = 1; xid <= 3; xid++) {
      assertThat(cache.admit(call(xid), connection)).isFalse();
    }
    assertThat(answers).containsExactly("1: lost", "2: 60 bytes, 0 items", "3: lost");
    execute(call(4), 8);
    assertThat(cache.size()).isEqualTo(3);
    assertThat(cache.admit(call(1), connection)).isTrue();
  }

  @Test
  @DisplayName("Executions are bounded, whatever connections bring them")
  void executions() {
    for (int xid = 0; xid < 12; xid++) {
      assertThat(cache.admit(call(xid), connection)).isTrue();
    }
    assertThat(cache.admit(call(12), connection)).isFalse();
    assertThat(answers).containsExactly("12: lost");
  }

  @Test
  @DisplayName("B-098: a reply that is kept is a copy, and nothing of the service's")
  void copies() {
    byte[] bytes = {1, 2, 3, 4};
    IncomingCall first = call(7);
    cache.admit(first, connection);
    IncomingCalls.replied(first,
        new XdrWriter().dataItem(DataItem.of(bytes)).toPayloadStream());
    bytes[0] = 99;
    List<PayloadStream> again = new ArrayList<>();
    cache.admit(call(7), new ReplyCache.Answers() {
      @Override
      public void answerAgain(IncomingCall call, PayloadStream reply) {
        again.add(reply);
      }

      @Override
      public void answerLost(IncomingCall call) {}
    });
    assertThat(again.get(0).items().get(0).data().toByteArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  @DisplayName("What is forgotten is forgotten, and what is being executed is not remembered")
  void clear() {
    execute(call(1), 8);
    IncomingCall running = call(2);
    cache.admit(running, connection);
    cache.clear();
    assertThat(cache.size()).isZero();
    assertThat(cache.bytes()).isZero();
    IncomingCalls.replied(running, reply(8));
    assertThat(cache.size()).isZero();
    assertThat(cache.admit(call(1), connection)).isTrue();
    assertThat(cache.admit(call(2), connection)).isTrue();
  }

  @Test
  @DisplayName("R-152: after three connections that its chunks have ended, a call is hopeless")
  void hopeless() {
    cache.operationsFailed(5);
    cache.operationsFailed(5);
    assertThat(cache.hopeless(5)).isFalse();
    cache.operationsFailed(5);
    assertThat(cache.hopeless(5)).isTrue();
    assertThat(cache.hopeless(6)).isFalse();
    // Not for ever: others come.
    for (int xid = 10; xid < 13; xid++) {
      cache.operationsFailed(xid);
    }
    assertThat(cache.hopeless(5)).isFalse();
  }
}
