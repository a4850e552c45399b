// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens of contexts that stand (RFC 4121 §4.2). */
@DisplayName("Tokens of Kerberos")
final class SentTokensTest {

  private static final int BY_ACCEPTOR = 1;
  private static final int SEALED = 2;
  private static final int ACCEPTORS_KEY = 4;
  /** By so much more it may be the same rotation. */
  private static final int HIGH_BYTE_OF_ROTATION = 6;
  private static final byte[] MESSAGE = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1};

  private static byte[] bytes(EncryptionType type, int seed) {
    byte[] bytes = new byte[type.keyLength()];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static ContextKeys keys(EncryptionType type, boolean acceptors) throws KerberosException {
    return new ContextKeys(new KerberosKey(type, bytes(type, 1)),
        acceptors ? new KerberosKey(type, bytes(type, 2)) : null);
  }

  private static byte[] key(EncryptionType type, int flags) {
    return bytes(type, (flags & ACCEPTORS_KEY) == 0 ? 1 : 2);
  }

  private static byte[] mic(EncryptionType type, int flags) {
    byte[] head = ByteBuffer.allocate(TokenHead.LENGTH).putShort((short) 0x0404).put((byte) flags).put((byte) -1)
        .putInt(-1).putLong(12345).array();
    int usage = (flags & BY_ACCEPTOR) == 0 ? 25 : 23;
    return Encrypting.joined(head, type.profile().checksum(key(type, flags), usage, MESSAGE, head));
  }

  /** A wrapped message, with filler if it is sealed, and rotated. */
  private static byte[] wrap(EncryptionType type, int flags, int filler, int rotation) {
    boolean sealed = (flags & SEALED) != 0;
    int usage = (flags & BY_ACCEPTOR) == 0 ? 24 : 22;
    byte[] signed = head(flags, sealed ? filler : 0, 0);
    byte[] body = sealed
        ? Encrypting.encrypt(type, key(type, flags), usage, Encrypting.joined(MESSAGE, new byte[filler], signed))
        : Encrypting.joined(MESSAGE, type.profile().checksum(key(type, flags), usage, MESSAGE, signed));
    byte[] rotated = new byte[body.length];
    for (int i = 0; i < body.length; i++) {
      rotated[(i + rotation) % body.length] = body[i];
    }
    return Encrypting.joined(head(flags, sealed ? filler : type.proofLength(), rotation), rotated);
  }

  private static byte[] head(int flags, int extra, int rotation) {
    return ByteBuffer.allocate(TokenHead.LENGTH).putShort((short) 0x0504).put((byte) flags).put((byte) -1)
        .putShort((short) extra).putShort((short) rotation).putLong(77).array();
  }

  /** Fails if a usage is another one, the head is not signed, or the flag of the acceptor's key is not looked at. */
  @ParameterizedTest
  @EnumSource(EncryptionType.class)
  @DisplayName("A MIC is taken from the end that has made it, with either key, and if nothing of it is changed")
  void mics(EncryptionType type) throws KerberosException {
    ContextKeys keys = keys(type, true);
    for (int flags : new int[] {0, BY_ACCEPTOR, ACCEPTORS_KEY, BY_ACCEPTOR | ACCEPTORS_KEY}) {
      boolean acceptor = (flags & BY_ACCEPTOR) != 0;
      SentTokens tokens = acceptor ? keys.fromServer() : keys.fromClient();
      SentTokens others = acceptor ? keys.fromClient() : keys.fromServer();
      byte[] mic = mic(type, flags);
      assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), mic)).isTrue();
      assertThat(others.verifies(ByteBuffer.wrap(MESSAGE), mic)).as("reflected").isFalse();
      for (int i = 0; i < mic.length; i++) {
        byte[] changed = mic.clone();
        changed[i] ^= 0x10;
        assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), changed)).as("byte %d", i).isFalse();
        assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), Arrays.copyOf(mic, i))).as("cut at %d", i).isFalse();
      }
      assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE, 1, 5), mic)).isFalse();
      assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), Arrays.copyOf(mic, mic.length + 1))).isFalse();
    }
    assertThat(keys(type, false).fromClient().verifies(ByteBuffer.wrap(MESSAGE), mic(type, ACCEPTORS_KEY)))
        .as("a key that there is not").isFalse();
  }

  /** Fails if {@code rotatedBack} turns the other way, or EC is not taken off. */
  @ParameterizedTest
  @EnumSource(EncryptionType.class)
  @DisplayName("Wrapped messages are opened: sealed or not, with filler, rotated by any number, by either end")
  void wrapped(EncryptionType type) throws KerberosException {
    ContextKeys keys = keys(type, true);
    for (int flags = 0; flags < 8; flags++) {
      SentTokens tokens = (flags & BY_ACCEPTOR) == 0 ? keys.fromClient() : keys.fromServer();
      boolean sealed = (flags & SEALED) != 0;
      for (int rotation : new int[] {0, 1, 28, 16 + type.proofLength(), 1000, 0xFFFF}) {
        for (int filler : sealed ? new int[] {0, 1, 16} : new int[] {0}) {
          byte[] token = wrap(type, flags, filler, rotation);
          assertThat(tokens.unwrapAny(token)).hasValue(MESSAGE);
          assertThat(tokens.unwrap(ByteBuffer.wrap(token)).isPresent()).as("R-332: only what is sealed is private")
              .isEqualTo(sealed);
        }
      }
    }
  }

  /** Fails if a part of a token is under no proof. */
  @ParameterizedTest
  @EnumSource(EncryptionType.class)
  @DisplayName("Wrapped messages that are changed or cut are refused, and those of the other end")
  void changed(EncryptionType type) throws KerberosException {
    ContextKeys keys = keys(type, true);
    for (int flags = 0; flags < 8; flags++) {
      SentTokens tokens = (flags & BY_ACCEPTOR) == 0 ? keys.fromClient() : keys.fromServer();
      SentTokens others = (flags & BY_ACCEPTOR) == 0 ? keys.fromServer() : keys.fromClient();
      byte[] token = wrap(type, flags, (flags & SEALED) == 0 ? 0 : 5, 28);
      assertThat(others.unwrapAny(token)).isEmpty();
      for (int i = 0; i < token.length; i++) {
        byte[] changed = token.clone();
        changed[i] ^= 1;
        if (i != HIGH_BYTE_OF_ROTATION) {
          assertThat(tokens.unwrapAny(changed)).as("byte %d", i).isEmpty();
        }
        assertThat(tokens.unwrapAny(Arrays.copyOf(token, i))).as("cut at %d", i).isEmpty();
      }
    }
  }

  /** Fails if {@code TokenHead} does not look at the filler, or {@code SentTokens.key} not at who has sent a token. */
  @Test
  @DisplayName("Proofs of a head that nobody may send")
  void heads() throws KerberosException {
    EncryptionType type = EncryptionType.AES128_SHA256;
    SentTokens tokens = keys(type, true).fromClient();
    for (int at : new int[] {0, 1, 2, 3, 4, 7}) {
      byte[] head = Arrays.copyOf(mic(type, 0), TokenHead.LENGTH);
      assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), signed(type, head))).isTrue();
      head[at] ^= 1;
      assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), signed(type, head))).as("byte %d", at).isFalse();
    }
  }

  private static byte[] signed(EncryptionType type, byte[] head) {
    return Encrypting.joined(head, type.profile().checksum(key(type, 0), 25, MESSAGE, head));
  }

  /** Fails if {@code sealed} does not look whether a message is as long as its head and its filler. */
  @Test
  @DisplayName("Any bytes as a token are refused, without an exception")
  void anyBytes() throws KerberosException {
    SentTokens tokens = keys(EncryptionType.AES256_SHA384, true).fromClient();
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      byte[] token = new byte[random.nextInt(120)];
      random.nextBytes(token);
      if (token.length > 4) {
        token[0] = (byte) (random.nextBoolean() ? 4 : 5);
        token[1] = 4;
        token[2] = (byte) (random.nextInt(4) << 1);
        token[3] = (byte) 0xFF;
      }
      assertThat(tokens.unwrapAny(token)).isEmpty();
      assertThat(tokens.unwrap(ByteBuffer.wrap(token))).isEmpty();
      assertThat(tokens.verifies(ByteBuffer.wrap(MESSAGE), token)).isFalse();
    }
    byte[] unfilled = Encrypting.joined(head(SEALED, 3, 0), Encrypting.encrypt(EncryptionType.AES256_SHA384,
        key(EncryptionType.AES256_SHA384, 0), 24, Encrypting.joined(new byte[2], head(SEALED, 3, 0))));
    assertThat(tokens.unwrapAny(unfilled)).as("shorter than its filler").isEmpty();
    byte[] shorter = Encrypting.joined(head(SEALED, 0, 0), Encrypting.encrypt(EncryptionType.AES256_SHA384,
        key(EncryptionType.AES256_SHA384, 0), 24, new byte[TokenHead.LENGTH - 1]));
    assertThat(tokens.unwrapAny(shorter)).as("shorter than its head").isEmpty();
  }
}
