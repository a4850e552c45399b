// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.gss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.AuthFlavor;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.xdr.XdrException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What crosses when a context is bound to a channel (RFC 5403), and what its proofs sign. */
@DisplayName("RFC 5403, what crosses")
class BindingWireTest {

  private static final String KEY = "mallory:1";

  @Test
  @DisplayName("§3.2 §3.3: credential, verifiers, and what their proofs sign, byte by byte")
  void wire() throws Exception {
    HexFormat hex = HexFormat.of();
    GssCredential credential = new GssCredential(GssCredential.VERSION_2, GssProcedure.BIND_CHANNEL, 3,
        GssService.NONE, new byte[] {9, 9, 9, 9});
    String encoded = "00000002" + "00000004" + "00000003" + "00000001" + "00000004" + "09090909";
    assertThat(hex.formatHex(credential.encode().body())).isEqualTo(encoded);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest("a:b".getBytes(StandardCharsets.US_ASCII));
    assertThat(ChannelHash.SHA_256.hash("a:b".getBytes(StandardCharsets.US_ASCII))).isEqualTo(hash);
    String oid = "00000009" + "608648016503040201" + "000000";
    byte[] proof = hex.parseHex("0102030405");
    BindArguments arguments = new BindArguments(BindArguments.prefixOf("a:b".getBytes(StandardCharsets.US_ASCII)),
        ChannelHash.SHA_256.oid(), proof);
    assertThat(hex.formatHex(arguments.verifier().body())).isEqualTo("00000001" + "61000000" + oid + "00000005"
        + "0102030405" + "000000");
    assertThat(hex.formatHex(BindArguments.signed(ByteBuffer.wrap(new byte[] {8}), hash).array()))
        .isEqualTo("08" + "00000020" + hex.formatHex(hash));
    ToyContext context = new ToyContext(KEY);
    BindAnswer bound = BindAnswer.bound(context, 3, hash);
    byte[] signed = context.sign(ByteBuffer.wrap(hex.parseHex("00000003" + "00000020" + hex.formatHex(hash)
        + "00000000")));
    assertThat(hex.formatHex(bound.verifier().body())).isEqualTo("00000000" + "00000020" + hex.formatHex(signed));
    BindAnswer refused = BindAnswer.refused(BindAnswer.Status.PREFIX_NOT_SUPPORTED, List.of(new byte[] {0x61}));
    assertThat(hex.formatHex(refused.verifier().body())).isEqualTo("00000001" + "00000001" + "00000001" + "61000000"
        + "00000000");
    assertThat(BindAnswer.from(refused.verifier()).known()).containsExactly(new byte[] {0x61});
    for (String bad : List.of("", "00000003", "0000000000000000ff", "00000001ffffffff", "0000000100000001000000ff")) {
      assertThatThrownBy(() -> BindAnswer.from(new OpaqueAuth(AuthFlavor.GSS, hex.parseHex(bad)))).as(bad)
          .isInstanceOf(XdrException.class);
    }
  }

  /** Fails if {@code BindAnswer.isBound} leaves the number, the hash or the status out. */
  @Test
  @DisplayName("§3.3: an answer proves that just this channel was bound by just this call")
  void proofs() {
    ToyContext context = new ToyContext(KEY);
    byte[] hash = ChannelHash.SHA_256.hash(new byte[] {1});
    BindAnswer good = BindAnswer.bound(context, 3, hash);
    assertThat(good.isBound(context, 3, hash)).isTrue();
    assertThat(good.isBound(context, 4, hash)).isFalse();
    assertThat(good.isBound(context, 3, ChannelHash.SHA_256.hash(new byte[] {2}))).isFalse();
    assertThat(good.isBound(new ToyContext("other:1"), 3, hash)).isFalse();
    assertThat(new BindAnswer(BindAnswer.Status.PREFIX_NOT_SUPPORTED, List.of(), good.proof())
        .isBound(context, 3, hash)).isFalse();
  }
}
