// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.util.List;
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
