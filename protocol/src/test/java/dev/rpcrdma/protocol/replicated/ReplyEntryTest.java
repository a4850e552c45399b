// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.Hex;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries and identities are what they were when they come back. */
class ReplyEntryTest {

  private static final String INSTANCE = "00112233445566778899aabbccddeeff";

  @Test
  @DisplayName("Entries of all states are read as they were written, any number of times")
  void entries() {
    ReplyEntry claim = ReplyEntry.claim(1L << 40, "node/17", "uid:1000");
    for (ReplyEntry entry : List.of(claim, claim.answered(ByteBuffer.wrap(new byte[] {1, 2, 3})), claim.gone(),
        claim.released(), claim.answered(ByteBuffer.allocate(0)))) {
      byte[] bytes = entry.encoded();
      assertThat(ReplyEntry.decode(bytes)).isEqualTo(entry);
      assertThat(entry.encoded()).isEqualTo(bytes);
    }
    assertThat(claim).isNotEqualTo(ReplyEntry.claim(1L << 40, "node/18", "uid:1000"));
    assertThat(claim.gone()).isNotEqualTo(claim.released());
  }

  /** Fails if {@code ReplyEntry.encoded} or {@code decode} has another order, or a state another number. */
  @Test
  @DisplayName("Entries have the bytes that the release before has written, and that the next one reads")
  void stored() {
    ReplyEntry claim = ReplyEntry.claim(0x0102030405060708L, "node/17", "uid:9");
    Map<ReplyEntry, String> all = Map.of(
        claim, "00000001 01020304 05060708 00000000 00000007 6e6f6465 2f313700 00000005 7569643a 39000000 00000000",
        claim.answered(Hex.buffer("0a0b0c")),
        "00000001 01020304 05060708 00000001 00000007 6e6f6465 2f313700 00000005 7569643a 39000000 00000003 0a0b0c00",
        claim.gone(),
        "00000001 01020304 05060708 00000002 00000007 6e6f6465 2f313700 00000005 7569643a 39000000 00000000",
        claim.released(),
        "00000001 01020304 05060708 00000003 00000007 6e6f6465 2f313700 00000005 7569643a 39000000 00000000");
    all.forEach((entry, bytes) -> {
      assertThat(entry.encoded()).isEqualTo(Hex.bytes(bytes));
      assertThat(ReplyEntry.decode(Hex.bytes(bytes))).isEqualTo(entry);
    });
  }

  /** Fails if {@code ReplyHead} has another first word, or its constants another order. */
  @Test
  @DisplayName("What stands in front of results has the words that clients of the release before know")
  void heads() {
    Map<ReplyHead, Integer> words = Map.of(ReplyHead.RESULTS, 0x52520100, ReplyHead.CLAIMED_BEFORE, 0x52520101,
        ReplyHead.REPLY_GONE, 0x52520102, ReplyHead.LATE, 0x52520103, ReplyHead.OTHER_USER, 0x52520104,
        ReplyHead.NOT_CLAIMED, 0x52520105);
    words.forEach((head, word) -> {
      assertThat(head.word()).isEqualTo(word);
      assertThat(ReplyHead.of(word)).contains(head);
    });
    assertThat(words).hasSameSizeAs(ReplyHead.values());
    assertThat(ReplyHead.of(0x525200ff)).isEmpty();
    assertThat(ReplyHead.of(0x52520106)).isEmpty();
  }

  /** Fails if {@code CallIdentity.HEADER}, {@code key} or {@code toString} changes. */
  @Test
  @DisplayName("An identity is a header of the call, and the key of an entry")
  void names() {
    assertThat(CallIdentity.HEADER).isEqualTo("rpcrdma-call-identity");
    CallIdentity identity = CallIdentity.parse(INSTANCE + ".3.41");
    assertThat(identity).isEqualTo(new CallIdentity(INSTANCE, 3, 41)).hasToString(INSTANCE + ".3.41");
    assertThat(identity.key()).isEqualTo(INSTANCE + ".3");
  }

  @Test
  @DisplayName("What is no entry is refused")
  void noEntries() {
    byte[] bytes = ReplyEntry.claim(1, "a", "b").encoded();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> ReplyEntry.decode(cut)).isInstanceOf(XdrException.class);
    }
    byte[] version = bytes.clone();
    version[3] = 2;
    assertThatThrownBy(() -> ReplyEntry.decode(version)).isInstanceOf(XdrException.class);
    byte[] state = bytes.clone();
    state[15] = 9;
    assertThatThrownBy(() -> ReplyEntry.decode(state)).isInstanceOf(XdrException.class);
  }

  @Test
  @DisplayName("Identities are read as they were written; calls of a slot have one key")
  void identities() {
    CallIdentity identity = new CallIdentity(INSTANCE, 3, 41);
    assertThat(identity).hasToString(INSTANCE + ".3.41");
    assertThat(CallIdentity.parse(identity.toString())).isEqualTo(identity);
    assertThat(identity.key()).isEqualTo(new CallIdentity(INSTANCE, 3, 42).key())
        .isNotEqualTo(new CallIdentity(INSTANCE, 4, 41).key());
    assertThat(CallIdentity.instance(new byte[CallIdentity.INSTANCE_LENGTH])).isEqualTo("0".repeat(32));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.2.3", INSTANCE + ".1", INSTANCE + ".1.0", INSTANCE + ".-1.1", INSTANCE + ".1.1 ",
      INSTANCE + ".9999999999.1", INSTANCE + ".1.9999999999999999999"})
  @DisplayName("What is no identity is refused")
  void noIdentities(String text) {
    assertThatThrownBy(() -> CallIdentity.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
