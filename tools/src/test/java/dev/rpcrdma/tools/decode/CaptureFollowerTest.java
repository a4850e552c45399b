// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.kerberos.token.KeytabException;
import dev.rpcrdma.kerberos.token.ToyRealm;
import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.record.RecordMark;
import dev.rpcrdma.protocol.wire.ChunkLists;
import dev.rpcrdma.protocol.wire.RawHeader;
import dev.rpcrdma.protocol.wire.ReadChunk;
import dev.rpcrdma.protocol.wire.Segment;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.tools.decode.gss.SecurityContexts;
import dev.rpcrdma.verbs.capture.Capture;
import dev.rpcrdma.verbs.capture.CaptureDecoder;
import dev.rpcrdma.verbs.capture.CapturedStream;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.DecodedUnit.Kind;
import dev.rpcrdma.verbs.capture.StreamDecoder;
import dev.rpcrdma.verbs.capture.read.Conversation;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed of streams, by a decoder that finds what the test wants. */
@DisplayName("Following a capture")
final class CaptureFollowerTest {

  private static final InetSocketAddress HERE = new InetSocketAddress("10.0.0.1", 1);
  private static final InetSocketAddress THERE = new InetSocketAddress("10.0.0.2", 2);
  private static final Conversation STREAM = new Conversation(1, HERE, THERE);
  private static final String HEAD = "stream 1  10.0.0.1:1 > 10.0.0.2:2";

  @TempDir
  Path directory;

  private final StringWriter out = new StringWriter();
  private final List<JsonObject> events = new ArrayList<>();
  private final Finding decoder = new Finding();

  /** Tells of the unit that is due with the next bytes. */
  private static final class Finding implements CaptureDecoder {

    private DecodedUnit due;

    @Override
    public String protocol() {
      return "Toy";
    }

    @Override
    public StreamDecoder stream(Consumer<DecodedUnit> sink) {
      return (frame, fromOpener, bytes) -> {
        if (due != null) {
          sink.accept(due);
        }
      };
    }
  }

  private static Optional<SecurityContexts> contexts() {
    try {
      return Optional.of(new SecurityContexts(new ToyRealm(18, true).keytab()));
    } catch (KeytabException e) {
      throw new AssertionError(e);
    }
  }

  private CaptureFollower follower(boolean quiet) {
    return CaptureFollower.text(decoder, new PrintWriter(out), quiet, contexts());
  }

  private CaptureFollower plain() {
    return CaptureFollower.text(decoder, new PrintWriter(out), false, Optional.empty());
  }

  private List<String> lines() {
    return out.toString().lines().toList();
  }

  private void found(CaptureFollower follower, Kind kind, String text, byte... payload) {
    found(follower, new DecodedUnit(kind, 7, true, text, ByteBuffer.wrap(payload)));
  }

  private void found(CaptureFollower follower, DecodedUnit unit) {
    decoder.due = unit;
    follower.bytes(STREAM, 7, true, ByteBuffer.allocate(0));
    decoder.due = null;
  }

  private static byte[] record() {
    XdrWriter call = new XdrWriter();
    new CallHeader(1, 2, 100003, 1, 0, OpaqueAuth.NONE, OpaqueAuth.NONE).encode(call);
    return RecordMark.framed(call.toByteArray());
  }

  @Test
  @DisplayName("RPC over TCP is followed with keys: its records, and the fault that ends it")
  void records() {
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    follower.bytes(STREAM, 5, true, ByteBuffer.wrap(record()));
    assertThat(lines()).hasSize(2).first().isEqualTo(HEAD);
    assertThat(lines().get(1)).startsWith("       5   1 > RPC call, XID 0x00000001, program 100003 ");
    follower.bytes(STREAM, 6, false, ByteBuffer.allocate(8).putInt(0, -1));
    assertThat(lines()).hasSize(3).last().asString().startsWith("       6   1 < NOT WELL FORMED: ");
    follower.ended(STREAM);
    assertThat(lines()).hasSize(3);
  }

  @Test
  @DisplayName("A stream that is neither is skipped once both are known not to be, by whichever comes last")
  void neither() {
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    found(follower, Kind.FOREIGN, "of no toy");
    assertThat(lines()).as("may be RPC over TCP").isEmpty();
    follower.bytes(STREAM, 5, true, ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes()));
    assertThat(lines()).containsExactly(HEAD + " skipped: of no toy");
    follower.bytes(STREAM, 6, true, ByteBuffer.wrap(record()));
    follower.ended(STREAM);
    assertThat(lines()).hasSize(1);
    CaptureFollower without = plain();
    without.opened(STREAM);
    found(without, Kind.FOREIGN, "of no toy");
    assertThat(lines()).hasSize(2);
    without.opened(STREAM);
    without.ended(STREAM);
    assertThat(lines()).last().isEqualTo(HEAD + " skipped: no complete startup of Toy");
  }

  @Test
  @DisplayName("A fault before the startup comes behind the line of its stream")
  void earlyFault() {
    CaptureFollower follower = plain();
    follower.opened(STREAM);
    found(follower, Kind.FAULT, "bad");
    assertThat(lines()).containsExactly(HEAD, "       7   1 > NOT WELL FORMED: bad");
  }

  @Test
  @DisplayName("Missing bytes are a fault of a stream that is followed, and of no other")
  void gaps() {
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    follower.gap(STREAM, 5, true, 100);
    assertThat(lines()).isEmpty();
    follower.bytes(STREAM, 6, true, ByteBuffer.wrap(record()));
    assertThat(lines()).as("nothing behind a gap is known to be a record").isEmpty();
    follower.opened(STREAM);
    found(follower, Kind.STARTUP, "Hello");
    follower.gap(STREAM, 5, false, 100);
    assertThat(lines()).containsExactly(HEAD, "       7   1 > Hello",
        "       5   1 < NOT WELL FORMED: 100 bytes before it are not in the capture");
    follower.gap(STREAM, 5, true, 100);
    assertThat(lines()).as("over").hasSize(3);
    follower.opened(STREAM);
    follower.bytes(STREAM, 6, true, ByteBuffer.wrap(record()));
    follower.gap(STREAM, 8, true, 100);
    assertThat(lines()).last().isEqualTo(
        "       8   1 > NOT WELL FORMED: 100 bytes before it are not in the capture");
  }

  /** Fails if {@code CaptureFollower.gap} takes a stream without its first bytes for one of another protocol. */
  @Test
  @DisplayName("A stream whose first bytes are missing is said, whatever its other side has sent, and is a failure")
  void headless() throws IOException {
    Path file = directory.resolve("headless.pcapng");
    try (Capture capture = Capture.open(file)) {
      CapturedStream stream = capture.stream(true, HERE, THERE);
      stream.received(ByteBuffer.allocate(1));
    }
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    follower.gap(STREAM, 5, true, 100);
    follower.ended(STREAM);
    assertThat(lines()).containsExactly(HEAD + " skipped: its first bytes are not in the capture");
    follower.opened(STREAM);
    found(follower, Kind.FOREIGN, "of no toy");
    follower.bytes(STREAM, 6, false, ByteBuffer.allocate(16));
    follower.gap(STREAM, 5, false, 100);
    follower.gap(STREAM, 5, true, 100);
    follower.ended(STREAM);
    assertThatThrownBy(() -> follower.follow(file)).isInstanceOf(IOException.class).hasMessage(
        "A stream has no beginning in the capture, so that the protocol is not known: stream 1, frame 5");
  }

  /** Fails if {@code Stream.lacksItsBeginning} takes some bytes of a head for a head. */
  @Test
  @DisplayName("A gap behind the record mark of the first call, before its protocol is known, is a failure")
  void headCutShort() throws IOException {
    Path file = empty();
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    found(follower, Kind.FOREIGN, "of no toy");
    follower.bytes(STREAM, 5, true, ByteBuffer.wrap(record(), 0, 4));
    follower.gap(STREAM, 6, true, 100);
    follower.ended(STREAM);
    assertThat(lines()).containsExactly(HEAD + " skipped: its first bytes are not in the capture");
    assertThatThrownBy(() -> follower.follow(file)).isInstanceOf(IOException.class).hasMessage(
        "A stream has no beginning in the capture, so that the protocol is not known: stream 1, frame 6");
    CaptureFollower without = plain();
    without.opened(STREAM);
    found(without, Kind.FOREIGN, "of no toy");
    without.bytes(STREAM, 5, true, ByteBuffer.wrap(record(), 0, 4));
    without.gap(STREAM, 6, true, 100);
    without.ended(STREAM);
    without.follow(file);
    assertThat(lines()).as("known to be no toy").contains(HEAD + " skipped: of no toy");
  }

  /** Fails if {@code RecordedMessages} takes TLS behind an AUTH_TLS probe (RFC 9289) for records. */
  @Test
  @DisplayName("RPC with TLS: what follows the probe is encrypted, and is not judged")
  void tls() {
    Optional<SecurityContexts> contexts = contexts();
    CaptureFollower follower = CaptureFollower.text(decoder, new PrintWriter(out), false, contexts);
    follower.opened(STREAM);
    XdrWriter probe = new XdrWriter();
    new CallHeader(1, 2, 100003, 1, 0, new OpaqueAuth(7, new byte[0]), OpaqueAuth.NONE).encode(probe);
    follower.bytes(STREAM, 5, true, ByteBuffer.wrap(RecordMark.framed(probe.toByteArray())));
    XdrWriter reply = new XdrWriter();
    new ReplyHeader.Accepted(1, new OpaqueAuth(0, "STARTTLS".getBytes()), AcceptStatus.SUCCESS, 0, 0).encode(reply);
    follower.bytes(STREAM, 6, false, ByteBuffer.wrap(RecordMark.framed(reply.toByteArray())));
    assertThat(lines()).last().asString().endsWith("NOT JUDGED: what follows is encrypted by TLS (RFC 9289)");
    int before = lines().size();
    follower.bytes(STREAM, 7, true, ByteBuffer.wrap(new byte[] {22, 3, 1, 2, 0, 1, 0, 1}));
    follower.gap(STREAM, 8, false, 100);
    follower.ended(STREAM);
    assertThat(lines()).hasSize(before);
    assertThat(contexts.orElseThrow().isComplete()).isFalse();
  }

  @Test
  @DisplayName("A stream that is forgotten is a fault, is unknown, or was known to be none")
  void forgotten() {
    String forgotten = "forgotten, as it was silent while too many other connections were opened";
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    follower.bytes(STREAM, 6, true, ByteBuffer.wrap(record()));
    follower.forgotten(STREAM, 9);
    assertThat(lines()).last().isEqualTo("       9   1 > NOT WELL FORMED: " + forgotten);
    follower.opened(STREAM);
    found(follower, Kind.FOREIGN, "of no toy");
    follower.forgotten(STREAM, 9);
    follower.ended(STREAM);
    assertThat(lines()).last().isEqualTo(HEAD + " skipped: " + forgotten);
    int before = lines().size();
    CaptureFollower without = plain();
    without.opened(STREAM);
    found(without, Kind.FOREIGN, "of no toy");
    without.forgotten(STREAM, 9);
    without.ended(STREAM);
    assertThat(lines()).hasSize(before + 1).last().isEqualTo(HEAD + " skipped: of no toy");
  }

  /** Fails if {@code CaptureFollower.forgotten} goes on with records: a FIN is told behind it. */
  @Test
  @DisplayName("A stream that is forgotten within a record, of a sender that has ended it, is one fault")
  void forgottenWithinRecord() {
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    follower.bytes(STREAM, 6, true, ByteBuffer.wrap(record()));
    follower.bytes(STREAM, 7, true, ByteBuffer.wrap(record(), 0, 20));
    int before = lines().size();
    follower.forgotten(STREAM, 9);
    follower.finished(STREAM, 8, true);
    follower.ended(STREAM);
    assertThat(lines()).hasSize(before + 1);
  }

  private static DecodedUnit longCall(Segment... segments) {
    ChunkLists lists = new ChunkLists(List.of(new ReadChunk(0, List.of(segments))), List.of(), Optional.empty());
    ByteBuffer bytes = ByteBuffer.allocate(RawHeader.LENGTH + lists.encodedLength()).putInt(1)
        .putInt(RawHeader.VERSION).putInt(32).putInt(RawHeader.RDMA_NOMSG);
    lists.write(bytes);
    return new DecodedUnit(Kind.MESSAGE, 8, true, "", bytes.flip());
  }

  /** Fails if the head of a message that comes by chunks is shown twice, or that of one in a Send is not. */
  @Test
  @DisplayName("The head of a Long call is shown when it is whole, that of a message in a Send with its header")
  void assembled() {
    byte[] call = record();
    CaptureFollower follower = follower(false);
    follower.opened(STREAM);
    found(follower, longCall(new Segment(1, call.length - 4, 0)));
    found(follower, new DecodedUnit(Kind.READ, 9, true, "", ByteBuffer.wrap(call, 4, call.length - 4).slice(), 1, 0));
    assertThat(lines()).hasSize(3).last().asString().startsWith(" ".repeat(16) + "RPC call, XID 0x00000001");
    ByteBuffer inline = ByteBuffer.allocate(RawHeader.LENGTH + 12 + call.length - 4).putInt(1)
        .putInt(RawHeader.VERSION).putInt(32).putInt(RawHeader.RDMA_MSG).position(RawHeader.LENGTH + 12)
        .put(call, 4, call.length - 4).flip();
    found(follower, new DecodedUnit(Kind.MESSAGE, 10, true, "", inline));
    assertThat(lines()).hasSize(5).last().asString().startsWith(" ".repeat(16) + "RPC call, XID 0x00000001");
    assertThat(lines().get(3)).contains("RDMA_MSG, credits 32");
  }

  private Path empty() {
    Path file = directory.resolve("file.pcapng");
    try (Capture capture = Capture.open(file)) {
      CapturedStream stream = capture.stream(true, HERE, THERE);
      stream.sent(ByteBuffer.allocate(1));
    }
    return file;
  }

  /** Fails if {@code CaptureFollower.follow} leaves messages that are not put together out of the summary. */
  @Test
  @DisplayName("Messages that were not put together are not judged, and a failure; the summary is flushed")
  void notPutTogether() throws IOException {
    decoder.due = longCall(new Segment(1, 60, 0), new Segment(1, 60, 59));
    assertThatThrownBy(() -> follower(true).follow(empty())).isInstanceOf(IOException.class).hasMessage(
        "A message was not put together: too many at a time, too long, or of segments that overlap");
    assertThat(lines()).last().asString().startsWith("0 streams of RPC over TCP; ").contains("1 not judged");
    decoder.due = new DecodedUnit(Kind.STARTUP, 4, true, "Hello");
    CaptureFollower.json(decoder, events::add, true, Optional.empty()).follow(empty());
    assertThat(events).hasSize(2).first().isEqualTo(new JsonObject().put("event", "stream").put("stream", 1)
        .put("opener", "10.0.0.1:1").put("acceptor", "10.0.0.2:2").put("protocol", "Toy"));
  }

  @Test
  @DisplayName("JSON: skipped streams with IPv6 addresses, and remarks that matter also where it is quiet")
  void json() {
    CaptureFollower follower = CaptureFollower.json(decoder, events::add, true, contexts());
    Conversation six = new Conversation(2, new InetSocketAddress("fd00::1", 1), THERE);
    follower.opened(six);
    follower.ended(six);
    assertThat(events).containsExactly(new JsonObject().put("event", "skipped").put("stream", 2)
        .put("opener", "[fd00:0:0:0:0:0:0:1]:1").put("acceptor", "10.0.0.2:2")
        .put("reason", "no complete startup of Toy"));
    follower.opened(STREAM);
    XdrWriter wrong = new XdrWriter();
    new CallHeader(1, 2, 100003, 1, 0, OpaqueAuth.NONE, new OpaqueAuth(6, new byte[4])).encode(wrong);
    follower.bytes(STREAM, 5, true, ByteBuffer.wrap(RecordMark.framed(wrong.toByteArray())));
    assertThat(events).hasSize(3).last().isEqualTo(new JsonObject().put("event", "remark").put("frame", 5L)
        .put("stream", 1).put("fromOpener", true)
        .put("text", "WRONG: it has a verifier of RPCSEC_GSS, and another credential").put("important", true));
  }
}
