// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.protocol.wire.Metadata;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import io.vertx.serviceproxy.ServiceException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages and outcomes as they are on the wire, and what a peer of another kind may send there. */
@DisplayName("Messages of a bridge")
final class BridgeOutcomeTest {

  private static final UUID ID = new UUID(1, -2);

  private static MultiMap headers(String... pairs) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < pairs.length; i += 2) {
      headers.add(pairs[i], pairs[i + 1]);
    }
    return headers;
  }

  private static List<String> pairs(MultiMap headers) {
    return headers.entries().stream().map(header -> header.getKey() + "=" + header.getValue()).toList();
  }

  private static Content content(String... pairs) {
    return new Content(headers(pairs), "string", Buffer.buffer("body"));
  }

  private static XdrReader reader(XdrWriter writer) {
    return new XdrReader(ByteBuffer.wrap(writer.toByteArray()));
  }

  private static BridgeOutcome there(BridgeOutcome outcome) {
    XdrWriter writer = new XdrWriter();
    BridgeOutcome.write(writer, outcome);
    XdrReader reader = reader(writer);
    BridgeOutcome read = BridgeOutcome.read(reader);
    reader.end();
    return read;
  }

  private static ReplyException failure(ReplyException cause) {
    return ((BridgeOutcome.Failed) there(new BridgeOutcome.Failed(cause))).cause();
  }

  @Test
  @DisplayName("A reply, with a conversation and without")
  void replies() {
    BridgeOutcome.Replied last = (BridgeOutcome.Replied) there(
        new BridgeOutcome.Replied(content("a", "b"), Optional.empty()));
    assertThat(last.conversation()).isEmpty();
    assertThat(last.content().codec()).isEqualTo("string");
    assertThat(last.content().body()).isEqualTo(Buffer.buffer("body"));
    assertThat(pairs(last.content().headers())).containsExactly("a=b");
    assertThat(last.asFuture().result()).isSameAs(last);
    assertThat(((BridgeOutcome.Replied) there(new BridgeOutcome.Replied(content(), Optional.of(ID)))).conversation())
        .contains(ID);
  }

  @Test
  @DisplayName("Failures with their type, code and message; those of services with their debug info")
  void failures() {
    ReplyException plain = failure(new ReplyException(ReplyFailure.TIMEOUT, 7, "late"));
    assertThat(plain.failureType()).isEqualTo(ReplyFailure.TIMEOUT);
    assertThat(plain.failureCode()).isEqualTo(7);
    assertThat(plain).hasMessage("late").isNotInstanceOf(ServiceException.class);
    assertThat(failure(new ReplyException(ReplyFailure.NO_HANDLERS, 7, null)).getMessage()).isNull();
    ServiceException thrown = (ServiceException) failure(new ServiceException(8, "why", new JsonObject().put("a", 1)));
    assertThat(thrown.failureCode()).isEqualTo(8);
    assertThat(thrown).hasMessage("why");
    assertThat(thrown.getDebugInfo()).isEqualTo(new JsonObject().put("a", 1));
    assertThat(((ServiceException) failure(new ServiceException(8, null))).getMessage()).isNull();
    assertThat(((ServiceException) failure(new ServiceException(8, "why"))).getDebugInfo()).isEqualTo(new JsonObject());
    ServiceException half =
        (ServiceException) failure(new ServiceException(8, "\ud83d", new JsonObject().put("a", "\ud83d")));
    assertThat(half).as("halves of surrogate pairs").hasMessage("?");
    assertThat(half.getDebugInfo()).isEqualTo(new JsonObject().put("a", "?"));
    assertThat(new BridgeOutcome.Failed(plain).asFuture().cause()).isSameAs(plain);
  }

  private static BridgeOutcome read(XdrWriter writer) {
    return BridgeOutcome.read(reader(writer));
  }

  @Test
  @DisplayName("A type that there is not is an error; what else there is not is refused")
  void unknown() {
    int types = ReplyFailure.values().length;
    for (int type : new int[] {-1, types}) {
      BridgeOutcome.Failed failed = (BridgeOutcome.Failed) read(
          new XdrWriter().int32(1).int32(type).int32(3).bool(false));
      assertThat(failed.cause().failureType()).isEqualTo(ReplyFailure.ERROR);
    }
    for (int type = 0; type < types; type++) {
      BridgeOutcome.Failed failed = (BridgeOutcome.Failed) read(
          new XdrWriter().int32(1).int32(type).int32(3).bool(false));
      assertThat(failed.cause().failureType()).isEqualTo(ReplyFailure.values()[type]);
    }
    assertThatThrownBy(() -> read(new XdrWriter().int32(3))).isInstanceOf(XdrException.class)
        .hasMessage("An outcome of kind 3");
    assertThatThrownBy(() -> read(new XdrWriter().int32(2).int32(1).bool(false).string("{")))
        .isInstanceOf(XdrException.class).hasMessageContaining("no JSON");
    XdrWriter odd = new XdrWriter().int32(0);
    content().write(odd, Set.of());
    assertThatThrownBy(() -> read(odd.int32(15).int64(0).int64(0))).isInstanceOf(XdrException.class)
        .hasMessage("A conversation of 15 bytes");
  }

  @Test
  @DisplayName("Headers of the event bus's own stay on their bus, however they are written")
  void crossing() {
    assertThat(pairs(Content.crossing(headers("__vertx.a", "1", "__VERTX.b", "2", "c", "3", "c", "4"))))
        .containsExactly("c=3", "c=4");
    XdrWriter writer = new XdrWriter();
    new Content(headers("__vertx.a", "1", "c", "3"), "null", Buffer.buffer()).write(writer, Set.of());
    assertThat(pairs(Content.read(reader(writer), Map.of()).headers())).containsExactly("c=3");
  }

  /** Fails if {@code Content.write} leaves out a header that is not beside, or says twice what is. */
  @Test
  @DisplayName("Headers beside the arguments are not among them, and the message fails without them")
  void beside() {
    XdrWriter writer = new XdrWriter();
    content("a", "1", "b", "2").write(writer, Set.of("a"));
    assertThat(pairs(Content.read(reader(writer), Map.of("a", "1")).headers()))
        .containsExactlyInAnyOrder("a=1", "b=2");
    assertThatThrownBy(() -> Content.read(reader(writer), Map.of()))
        .isInstanceOf(Content.HeadersMissingException.class);
    XdrWriter inside = new XdrWriter();
    content("a", "1").write(inside, Set.of());
    assertThat(pairs(Content.read(reader(inside), Map.of("other", "2")).headers()))
        .as("headers of others are not the message's").containsExactly("a=1");
  }

  @Test
  @DisplayName("Headers go beside the arguments, if each has one value and all fit, the shortest first")
  void parts() {
    CallOptions none = CallOptions.DEFAULT;
    assertThat(content().part(none)).isEqualTo(new Content.Parted(none, Set.of()));
    Content.Parted all = content("a", "1", "twice", "1", "twice", "2").part(none);
    assertThat(all.beside()).containsExactly("a");
    assertThat(all.options().headers()).isEqualTo(Map.of("a", "1"));
    String longest = "l".repeat(Metadata.MAX_LENGTH);
    Content.Parted some = content("long", longest, "a name", "1", "b", "22", "c", "3").part(none);
    assertThat(some.beside()).containsExactlyInAnyOrder("b", "c");
    assertThat(some.options().headers()).isEqualTo(Map.of("b", "22", "c", "3"));
    int half = Metadata.MAX_LENGTH / 2;
    assertThat(content("x", "l".repeat(half + 1), "y", "l".repeat(half)).part(none).beside()).containsExactly("y");
  }

  /** Fails if {@code Content.part} fills the metadata, or counts letters for bytes. */
  @Test
  @DisplayName("Headers beside the arguments leave a quarter of the room to interceptors")
  void roomForInterceptors() {
    int room = Content.MOST_BESIDE - 4;
    for (String letters : List.of("l".repeat(room), "\u00e4".repeat(room / 2))) {
      Content.Parted parted = content("a", letters).part(CallOptions.DEFAULT);
      assertThat(parted.beside()).containsExactly("a");
      assertThat(parted.options().withHeader("tenant", "t".repeat(200)).headers()).containsKey("tenant");
      assertThat(content("a", letters + "l").part(CallOptions.DEFAULT).beside()).isEmpty();
    }
  }

  @Test
  @DisplayName("No more headers than 1,024, and no longer name of a codec than 255 letters")
  void bounds() {
    XdrWriter many = new XdrWriter().bool(false).int32(1025);
    for (int i = 0; i < 1025; i++) {
      many.string("h").string("");
    }
    assertThatThrownBy(() -> Content.read(reader(many.string("null").int32(0)), Map.of()))
        .isInstanceOf(XdrException.class);
    for (int length : List.of(255, 256)) {
      XdrWriter named = new XdrWriter().bool(false).int32(0).string("c".repeat(length)).int32(0);
      if (length == 255) {
        assertThat(Content.read(reader(named), Map.of()).codec()).hasSize(255);
      } else {
        assertThatThrownBy(() -> Content.read(reader(named), Map.of())).isInstanceOf(XdrException.class);
      }
    }
  }
}
