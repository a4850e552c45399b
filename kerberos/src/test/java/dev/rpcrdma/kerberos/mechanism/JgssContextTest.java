// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.kerberos.KerberosRealm;
import dev.rpcrdma.kerberos.gss.GssContext;
import dev.rpcrdma.kerberos.gss.GssFailure;
import dev.rpcrdma.kerberos.gss.GssHandshake;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.MessageProp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contexts of the JDK's Kerberos, as RPCSEC_GSS uses them. */
@DisplayName("Contexts of Kerberos")
@Tag("large")
class JgssContextTest {

  /** RFC 4121 §4.2.6.2. */
  private static final int TOKEN_HEAD = 16;

  private static KerberosRealm realm;
  /** As the JDK has it. */
  private static GSSContext raw;
  private static GssContext client;
  private static GssContext server;
  private static GssContext rawServer;

  @BeforeAll
  static void establish() throws GssFailure {
    realm = new KerberosRealm("alice", "echo/host");
    KerberosOptions options = realm.options("alice").setPeer("echo/host@" + KerberosRealm.NAME);
    GssHandshake initiator = Kerberos.initiator(options, () -> "unused").get();
    GssHandshake acceptor = Kerberos.acceptor(realm.options("echo/host")).get();
    GssHandshake.Step accepted = acceptor.next(initiator.next(new byte[0]).token());
    server = accepted.established().orElseThrow().context();
    GssHandshake.Established established = initiator.next(accepted.token()).established().orElseThrow();
    client = established.context();
    assertThat(established.peer()).isEqualTo("echo/host@" + KerberosRealm.NAME);
    assertThat(accepted.established().get().peer()).isEqualTo("alice@" + KerberosRealm.NAME);
    assertThat(established.lifetime().orElseThrow()).as("that of a ticket").isBetween(Duration.ofMinutes(1),
        Duration.ofDays(2));
    assertThat(accepted.established().get().lifetime()).contains(KerberosOptions.DEFAULT_CONTEXT_TIME);
    establishRaw(options);
  }

  /** One whose client is not ours. */
  private static void establishRaw(KerberosOptions options) throws GssFailure {
    GssHandshake acceptor = Kerberos.acceptor(realm.options("echo/host")).get();
    KerberosLogin.initiator(options).as(self -> {
      GSSManager manager = GSSManager.getInstance();
      GSSName peer = manager.createName("echo@host", GSSName.NT_HOSTBASED_SERVICE);
      raw = manager.createContext(peer, Kerberos.MECHANISM, null, GSSContext.DEFAULT_LIFETIME);
      raw.requestMutualAuth(false);
      raw.requestReplayDet(false);
      raw.requestSequenceDet(false);
      raw.requestConf(true);
      return null;
    });
    byte[] token = KerberosLogin.initiator(options).as(self -> raw.initSecContext(new byte[0], 0, 0));
    rawServer = acceptor.next(token).established().orElseThrow().context();
  }

  @AfterAll
  static void close() {
    realm.close();
  }

  private static ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Fails if {@code JgssContext} measures another message than the longest. */
  @Test
  @DisplayName("What is signed and encrypted is as long as was said, opens at the other end alone, and leaves the buffer as it was")
  void lengths() {
    for (int length = 0; length < 100; length++) {
      ByteBuffer message = bytes(length);
      byte[] proof = client.sign(message);
      assertThat(proof).hasSize(client.proofLength());
      assertThat(server.verifies(message, proof)).isTrue();
      assertThat(client.verifies(message, proof)).as("by who has signed it").isFalse();
      byte[] wrapped = server.wrap(message);
      assertThat(wrapped.length).isLessThanOrEqualTo(length + server.wrapOverhead());
      assertThat(client.unwrap(ByteBuffer.wrap(wrapped))).hasValue(message.array());
      assertThat(server.unwrap(ByteBuffer.wrap(wrapped))).as("by who has encrypted it").isEmpty();
      assertThat(message.remaining()).isEqualTo(length);
    }
  }

  /** Fails if {@code JgssContext} takes an array from its beginning, or wants one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("What lies within an array, or in none, is signed and encrypted as it is by itself")
  void within(boolean readOnly) {
    byte[] all = bytes(100).array();
    ByteBuffer sliced = ByteBuffer.wrap(all, 10, 80).slice().position(5).limit(65);
    ByteBuffer message = readOnly ? sliced.asReadOnlyBuffer() : sliced;
    byte[] itself = Arrays.copyOfRange(all, 15, 75);
    assertThat(server.verifies(ByteBuffer.wrap(itself), client.sign(message))).isTrue();
    assertThat(server.verifies(message, client.sign(ByteBuffer.wrap(itself)))).isTrue();
    assertThat(server.unwrap(ByteBuffer.wrap(client.wrap(message)))).hasValue(itself);
    byte[] wrapped = client.wrap(ByteBuffer.wrap(itself));
    ByteBuffer around = ByteBuffer.allocate(wrapped.length + 20).position(7).put(wrapped).flip().position(7);
    assertThat(server.unwrap(readOnly ? around.asReadOnlyBuffer() : around)).hasValue(itself);
    assertThat(message.position()).isEqualTo(5);
  }

  /** Fails if {@code JgssContext.unwrap} does not ask whether it was encrypted. */
  @Test
  @DisplayName("What is signed and not encrypted is not taken for encrypted")
  void notEncrypted() throws Exception {
    byte[] message = bytes(50).array();
    byte[] signed = raw.wrap(message, 0, message.length, new MessageProp(0, false));
    assertThat(rawServer.unwrap(ByteBuffer.wrap(signed))).isEmpty();
    byte[] encrypted = raw.wrap(message, 0, message.length, new MessageProp(0, true));
    assertThat(rawServer.unwrap(ByteBuffer.wrap(encrypted))).hasValue(message);
  }

  /** Fails if {@code JgssContext} lets anything through that the JDK throws for what it does not expect. */
  @Test
  @DisplayName("Whatever is cut short or has one bit changed proves nothing, and throws nothing")
  void damaged() {
    ByteBuffer message = bytes(40);
    byte[] proof = client.sign(message);
    byte[] wrapped = client.wrap(message);
    for (int length = 0; length < proof.length; length++) {
      assertThat(server.verifies(message, Arrays.copyOf(proof, length))).isFalse();
    }
    for (int length = 0; length < wrapped.length; length++) {
      assertThat(server.unwrap(ByteBuffer.wrap(wrapped, 0, length))).isEmpty();
    }
    for (int bit = 0; bit < proof.length * Byte.SIZE; bit++) {
      assertThat(server.verifies(message, flipped(proof, bit))).as("Bit %s", bit).isFalse();
    }
    for (int bit = 0; bit < wrapped.length * Byte.SIZE; bit++) {
      Optional<byte[]> opened = server.unwrap(ByteBuffer.wrap(flipped(wrapped, bit)));
      // The JDK passes over a bit or two of the token's own head, which change nothing of what is inside.
      if (bit >= TOKEN_HEAD * Byte.SIZE || opened.isPresent() && !Arrays.equals(opened.get(), message.array())) {
        assertThat(opened).as("Bit %s", bit).isEmpty();
      }
    }
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] copy = bytes.clone();
    copy[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    return copy;
  }

  /** The JDK does not promise it. */
  @Test
  @DisplayName("One context signs, encrypts and opens by several threads at once")
  void threads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int seed = thread;
        all.add(threads.submit(() -> {
          for (int i = 0; i < 500; i++) {
            ByteBuffer message = bytes(seed * 1000 + i);
            assertThat(server.verifies(message, client.sign(message))).isTrue();
            assertThat(client.unwrap(ByteBuffer.wrap(server.wrap(message)))).hasValue(message.array());
          }
        }));
      }
      for (Future<?> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
