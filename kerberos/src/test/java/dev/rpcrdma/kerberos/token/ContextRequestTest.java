// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens by which contexts are made. */
@DisplayName("Making contexts of Kerberos, as seen by others")
final class ContextRequestTest {

  private static final ByteBuffer MESSAGE = ByteBuffer.wrap(new byte[] {1, 2, 3});

  static int[] types() {
    return ToyRealm.types();
  }

  /** Fails if the session key is used where there is a subkey, or the service's key is not taken from its answer. */
  @ParameterizedTest
  @MethodSource("types")
  @DisplayName("Each encryption type, with a key of the service and without")
  void opened(int type) throws KerberosException, KeytabException {
    for (boolean acceptorsKey : new boolean[] {false, true}) {
      ToyRealm realm = new ToyRealm(type, acceptorsKey);
      ContextRequest request = ContextRequest.open(realm.request(), realm.keytab());
      assertThat(request).hasToString("alice@R to echo@R");
      ContextKeys keys = request.answered(realm.answer());
      assertThat(keys.fromClient().verifies(MESSAGE, realm.end(false).sign(MESSAGE))).isTrue();
      assertThat(keys.fromServer().verifies(MESSAGE, realm.end(true).sign(MESSAGE))).isTrue();
      assertThat(keys.fromServer().unwrap(ByteBuffer.wrap(realm.end(true).wrap(MESSAGE)))).hasValue(MESSAGE.array());
      assertThat(request.answered(new byte[0]).fromClient().verifies(MESSAGE, realm.end(false).sign(MESSAGE)))
          .as("without an answer").isEqualTo(!acceptorsKey);
    }
  }

  /** Fails if a key is tried on what is of another type, or its failure is told as that of a token. */
  @Test
  @DisplayName("A ticket without a key, and a token of something else, are no faults of the sender")
  void noKey() throws KeytabException {
    ToyRealm realm = new ToyRealm(18, false);
    Keytab other = new ToyRealm(20, false).keytab();
    assertThatThrownBy(() -> ContextRequest.open(realm.request(), other)).isInstanceOf(NoKeyException.class)
        .hasMessage("no key in the keytab opens the ticket for echo@R (encryption type 18, key version 3)");
    byte[] spnego = realm.request();
    spnego[6] ^= 1;
    assertThatThrownBy(() -> ContextRequest.open(spnego, realm.keytab())).isInstanceOf(NoKeyException.class)
        .hasMessageContaining("another mechanism");
    byte[] framed = {0x60, 11, 6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x12, 0x01, 0x02, 0x02};
    assertThatThrownBy(() -> ContextRequest.open(framed, realm.keytab())).isInstanceOf(KerberosException.class);
    assertThatThrownBy(() -> ContextRequest.open(realm.answer(), realm.keytab()))
        .isExactlyInstanceOf(KerberosException.class).hasMessageContaining("0x0200");
  }

  /** Fails if anything but a {@code KerberosException} comes of a token. */
  @Test
  @DisplayName("Tokens that are cut anywhere, or changed at random")
  void damaged() throws KerberosException, KeytabException {
    ToyRealm realm = new ToyRealm(19, true);
    Keytab keytab = realm.keytab();
    byte[] request = realm.request();
    byte[] answer = realm.answer();
    ContextRequest good = ContextRequest.open(request, keytab);
    for (int length = 0; length < request.length; length++) {
      byte[] cut = Arrays.copyOf(request, length);
      assertThatThrownBy(() -> ContextRequest.open(cut, keytab)).isInstanceOf(KerberosException.class);
    }
    for (int length = 1; length < answer.length; length++) {
      byte[] cut = Arrays.copyOf(answer, length);
      assertThatThrownBy(() -> good.answered(cut)).isInstanceOf(KerberosException.class);
    }
    for (int seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      byte[] changed = (random.nextBoolean() ? request : answer).clone();
      for (int i = random.nextInt(3); i >= 0; i--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      attempt(() -> ContextRequest.open(changed, keytab), seed);
      attempt(() -> good.answered(changed), seed);
    }
  }

  private interface Attempt {
    void run() throws KerberosException;
  }

  private static void attempt(Attempt attempt, int seed) {
    try {
      attempt.run();
    } catch (KerberosException e) {
      assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).+");
    }
  }
}
