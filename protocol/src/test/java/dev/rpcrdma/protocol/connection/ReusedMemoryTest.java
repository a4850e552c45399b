// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static dev.rpcrdma.protocol.connection.MachineBed.CALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.fabric.Region;
import dev.rpcrdma.protocol.responder.IncomingCall;
import dev.rpcrdma.protocol.xdr.DataItem;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A connection uses memory of its messages again: whoever keeps something of one must not see that. */
class ReusedMemoryTest {

  private static final String REPLY_HEAD = "00000001 00000000 00000000 00000000 00000000";

  private final MachineBed server = new MachineBed(false);
  private final MachineBed client = new MachineBed(true);

  /** A call with an opaque of four bytes. */
  private void call(int xid, String word) {
    String id = String.format("%08x", xid);
    server.receive(id + "00000001 00000020 00000000 00000000 00000000 00000000" + id + CALL
        + "00000004" + word);
  }

  private static String reply(int xid, String word) {
    String id = String.format("%08x", xid);
    return id + " 00000001 00000003 00000000 00000000 00000000 00000000 " + id
        + " 00000001 00000000 00000000 00000000 00000000 " + word;
  }

  private static int word(ByteBuffer bytes) {
    return bytes.getInt(bytes.position());
  }

  @Test
  void aViewOfArgumentsStaysAsItIs() {
    List<ByteBuffer> views = new ArrayList<>();
    server.service = call -> {
      views.add(call.arguments().opaqueView(4));
      call.reply(writer -> {});
    };
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    assertThat(views).extracting(ReusedMemoryTest::word).containsExactly(0xaaaaaaaa, 0xbbbbbbbb);
  }

  @Test
  void anItemThatCameInlineStaysAsItIs() {
    List<DataItem> items = new ArrayList<>();
    server.service = call -> {
      items.add(call.arguments().dataItem(4).retain());
      call.reply(writer -> {});
    };
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    assertThat(items).extracting(item -> word(item.bytes()))
        .containsExactly(0xaaaaaaaa, 0xbbbbbbbb);
  }

  @Test
  @DisplayName("R-320: an item that came inside of a Position-Zero chunk stays as it is, if retained")
  void anItemInsideOfAPositionZeroChunkStaysAsItIs() {
    List<DataItem> items = new ArrayList<>();
    server.service = call -> {
      items.add(call.arguments().dataItem(4).retain());
      call.reply(writer -> {});
    };
    server.readable.put(0x77, Hex.bytes("00000001" + CALL + "00000004 aaaaaaaa"));
    server.receive("00000001 00000001 00000020 00000001 00000001 00000000 00000077 00000030"
        + "00000000 00000000 00000000 00000000 00000000");
    assertThat(items).extracting(item -> word(item.bytes())).containsExactly(0xaaaaaaaa);
  }

  @Test
  @DisplayName("R-320: an item that came inside of a Reply chunk stays as it is, if retained")
  void anItemInsideOfAReplyChunkStaysAsItIs() {
    List<DataItem> items = new ArrayList<>();
    RepliedListener listener = results -> items.add(results.dataItem(4).retain());
    client.handle(listener, 2000);
    Region chunk = client.exposed.get(0x1001);
    chunk.bytes().put(Hex.bytes("51000000" + REPLY_HEAD + "00000004 aaaaaaaa"));
    client.receive("51000000 00000001 00000003 00000001 00000000 00000000 00000001 00000001 00001001"
        + "00000020 00000000 00000000");
    assertThat(items).extracting(item -> word(item.bytes())).containsExactly(0xaaaaaaaa);
  }

  @Test
  @DisplayName("R-320: an item inside of a Position-Zero chunk that is returned as it came is sent as it was")
  void anItemInsideOfAPositionZeroChunkIsReturned() {
    server.service = call -> {
      DataItem lent = call.arguments().dataItem(4);
      call.reply(writer -> writer.dataItem(lent));
    };
    server.readable.put(0x77, Hex.bytes("00000001" + CALL + "00000004 aaaaaaaa"));
    server.receive("00000001 00000001 00000020 00000001 00000001 00000000 00000077 00000030"
        + "00000000 00000000 00000000 00000000 00000000");
    assertThat(server.takeSent()).containsExactly(reply(1, "00000004 aaaaaaaa"));
  }

  @Test
  void theRestOfArgumentsStaysAsItIs() {
    List<ByteBuffer> rests = new ArrayList<>();
    server.service = call -> {
      call.arguments().int32();
      rests.add(call.arguments().rest());
      call.reply(writer -> {});
    };
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    assertThat(rests).extracting(ReusedMemoryTest::word).containsExactly(0xaaaaaaaa, 0xbbbbbbbb);
  }

  @Test
  void argumentsThatAreReadTooLateAreGoneAndNotThoseOfAnother() {
    List<XdrReader> readers = new ArrayList<>();
    server.service = call -> {
      readers.add(call.arguments());
      call.reply(writer -> {});
    };
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    for (XdrReader reader : readers) {
      assertThat(reader.remaining()).isZero();
      assertThatThrownBy(reader::int32).isInstanceOf(XdrException.class);
    }
  }

  @Test
  void callsThatWaitKeepTheirArguments() {
    server.service = call -> call.reply(writer -> {});
    call(1, "aaaaaaaa");
    server.service = server.incoming::add;
    call(2, "bbbbbbbb");
    server.service = call -> call.reply(writer -> {});
    call(3, "cccccccc");
    assertThat(word(server.incoming.get(0).arguments().opaqueView(4))).isEqualTo(0xbbbbbbbb);
  }

  @Test
  void aSecondAnswerTouchesNothing() {
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    IncomingCall first = server.incoming.get(0);
    first.reply(writer -> writer.int32(0x11));
    server.settle();
    server.takeSent();
    first.reply(writer -> writer.int32(0x22));
    assertThat(server.takeSent()).isEmpty();
    server.incoming.get(1).reply(writer -> writer.int32(0x33));
    assertThat(server.takeSent()).containsExactly(reply(2, "00000033"));
    assertThat(server.machine.activeCalls()).isZero();
  }

  @Test
  void anEncoderMayBringOnAnotherReply() {
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    server.incoming.get(0).reply(writer -> {
      writer.int32(0x11);
      server.incoming.get(1).reply(other -> other.int32(0x22));
      writer.int32(0x12);
    });
    assertThat(server.takeSent())
        .containsExactly(reply(2, "00000022"), reply(1, "00000011 00000012"));
  }

  @Test
  void aReplyThatCouldNotBeEncodedLeavesNothingBehind() {
    List<Throwable> failures = new ArrayList<>();
    server.encodingFailed = failures::add;
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    server.incoming.get(0).reply(writer -> {
      writer.int32(0x11);
      throw new IllegalStateException("on purpose");
    });
    assertThat(failures).extracting(Throwable::getMessage).containsExactly("on purpose");
    server.takeSent();
    server.incoming.get(1).reply(writer -> writer.int32(0x22));
    assertThat(server.takeSent()).containsExactly(reply(2, "00000022"));
  }

  /** What somebody has released. */
  private static final class Released implements DataItem {

    @Override
    public int length() {
      return 4;
    }

    @Override
    public void copyTo(ByteBuffer target) {
      throw new AssertionError("Nobody may read it");
    }

    @Override
    public boolean tryRetain() {
      return false;
    }
  }

  @Test
  void aResultThatHasNoOwnerIsNotReadAndItsCallAnsweredSystemErr() {
    List<Throwable> failures = new ArrayList<>();
    server.encodingFailed = failures::add;
    call(1, "aaaaaaaa");
    server.incoming.get(0).reply(writer -> writer.dataItem(new Released()));
    server.settle();
    assertThat(failures).singleElement().asString().contains("has no owner");
    assertThat(server.takeSent()).singleElement().asString().endsWith("00000005");
    server.checkAtRest();
  }

  /** Keeps the reader of its results, and a view of them if it is to. */
  private static final class Keeping implements RepliedListener {

    private final boolean view;
    private XdrReader reader;
    private ByteBuffer kept;

    Keeping(boolean view) {
      this.view = view;
    }

    @Override
    public void replied(XdrReader results) {
      reader = results;
      kept = view ? results.opaqueView(4) : kept;
    }
  }

  private Keeping replied(boolean view, int xid, String word) {
    Keeping listener = new Keeping(view);
    client.handle(listener, 8);
    String id = String.format("%08x", xid);
    client.receive(id + "00000001 00000004 00000000 00000000 00000000 00000000" + id + REPLY_HEAD
        + "00000004" + word);
    return listener;
  }

  @Test
  void resultsThatAreKeptStayAsTheyAreOrAreGone() {
    Keeping viewed = replied(true, MachineBed.FIRST_XID, "aaaaaaaa");
    Keeping unread = replied(false, MachineBed.FIRST_XID + 1, "bbbbbbbb");
    replied(false, MachineBed.FIRST_XID + 2, "cccccccc");
    assertThat(word(viewed.kept)).isEqualTo(0xaaaaaaaa);
    assertThat(unread.reader.remaining()).isZero();
    assertThatThrownBy(unread.reader::int32).isInstanceOf(XdrException.class);
  }

  @Test
  void aWriterThatGrewIsAsGoodAsNew() {
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    server.incoming.get(0).reply(writer -> writer.fixedOpaque(new byte[900]));
    server.settle();
    server.takeSent();
    server.incoming.get(1).reply(writer -> writer.fixedOpaque(Hex.bytes("77")));
    assertThat(server.takeSent()).containsExactly(reply(2, "77000000"));
  }

  /** Fails if {@code Results.deliver} says of a call with chunks that nobody looks at its reply. */
  @Test
  void aViewOfResultsOfACallWithChunksStaysAsItIs() {
    List<ByteBuffer> views = new ArrayList<>();
    RepliedListener listener = results -> views.add(results.opaqueView(4));
    for (int i = 0; i < 2; i++) {
      client.handle(listener, 2000);
      client.receive("%1$08x 00000001 00000003 00000000 00000000 00000000 00000001 00000001 %2$08x"
          .formatted(0x51000000 + i, 0x1001 + i) + "00000000 00000000 00000000"
          + "%08x".formatted(0x51000000 + i) + REPLY_HEAD + "00000004" + (i == 0 ? "aaaaaaaa" : "bbbbbbbb"));
    }
    assertThat(views).extracting(ReusedMemoryTest::word).containsExactly(0xaaaaaaaa, 0xbbbbbbbb);
  }

  /** Fails if {@code Responder.reply} uses the writer of a reply that waits for the next one. */
  @Test
  void aReplyThatWaitsForASlotStaysAsItIs() {
    server.held = true;
    server.fillSendQueue();
    call(1, "aaaaaaaa");
    call(2, "bbbbbbbb");
    server.incoming.forEach(call -> call.reply(writer -> writer.int32(call.xid())));
    server.incoming.clear();
    server.takeSent();
    server.held = false;
    server.settle();
    assertThat(server.takeSent()).contains(reply(1, "00000001"), reply(2, "00000002"));
  }

  /** Fails if {@code OutboundCall.deliver} gives the Receive back as a copy when the reply was in a Reply chunk. */
  @Test
  void theReceiveOfALongReplyIsNobodysCopy() {
    client.handle((RepliedListener) results -> { }, 2000);
    client.exposed.get(0x1001).bytes().put(Hex.bytes("51000000" + REPLY_HEAD));
    ByteBuffer receive = ByteBuffer.allocate(1024).put(Hex.bytes(
        "51000000 00000001 00000003 00000001 00000000 00000000 00000001 00000001 00001001"
            + "00000018 00000000 00000000"));
    client.receive(receive.flip(), OptionalInt.empty());
    List<ByteBuffer> views = new ArrayList<>();
    client.handle((RepliedListener) results -> views.add(results.opaqueView(4)), 8);
    client.receive("51000001 00000001 00000003 00000000 00000000 00000000 00000000 51000001" + REPLY_HEAD
        + "00000004 aaaaaaaa");
    Arrays.fill(receive.array(), (byte) 0xbb);
    assertThat(views).extracting(ReusedMemoryTest::word).containsExactly(0xaaaaaaaa);
  }
}
