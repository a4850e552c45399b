// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.oncrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

/** Heads of calls and replies, there and back. */
@Label("ONC RPC, properties")
final class MessagePropertiesTest {

  private static <T> void thereAndBack(byte[] bytes, T value, Function<XdrReader, T> decode) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
    assertThat(decode.apply(reader)).isEqualTo(value);
    reader.end();
    for (int cut = 0; cut < bytes.length; cut++) {
      XdrReader part = new XdrReader(ByteBuffer.wrap(bytes, 0, cut));
      assertThatThrownBy(() -> decode.apply(part)).isInstanceOf(XdrException.class);
    }
  }

  @Property(seed = "5531")
  @Label("B-102: the head of a call, and each cut of it")
  void call(@ForAll int xid, @ForAll int program, @ForAll int version, @ForAll int procedure,
      @ForAll("auth") OpaqueAuth credential, @ForAll("auth") OpaqueAuth verifier) {
    CallHeader header = new CallHeader(xid, OncRpc.RPC_VERSION, program, version, procedure,
        credential, verifier);
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    assertThat(writer.length()).isEqualTo(header.encodedLength());
    thereAndBack(writer.toByteArray(), header, CallHeader::decode);
  }

  @Property(seed = "5531")
  @Label("R-002: the head of a reply, and each cut of it")
  void reply(@ForAll("replies") ReplyHeader header) {
    XdrWriter writer = new XdrWriter();
    header.encode(writer);
    thereAndBack(writer.toByteArray(), header, ReplyHeader::decode);
  }

  @Property(seed = "5531")
  @Label("B-121: AUTH_SYS")
  void authSys(@ForAll int stamp, @ForAll @StringLength(max = 60) String machine, @ForAll int uid,
      @ForAll int gid, @ForAll @Size(max = 16) List<Integer> gids) {
    String name = machine.replaceAll("\\p{Cs}", "");
    AuthSys auth = new AuthSys(stamp, name, uid, gid, gids);
    assertThat(AuthSys.from(auth.toAuth())).isEqualTo(auth);
  }

  @Property(seed = "5531")
  @Label("R-147: any bytes are a head inside of them, or an XdrException")
  void anyBytes(@ForAll @Size(max = 60) byte[] bytes) {
    for (Function<XdrReader, Object> decode : List.<Function<XdrReader, Object>>of(
        CallHeader::decode, ReplyHeader::decode, OpaqueAuth::decode)) {
      XdrReader reader = new XdrReader(ByteBuffer.wrap(bytes));
      try {
        assertThat(decode.apply(reader)).isNotNull();
      } catch (XdrException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
      assertThat(reader.position() + reader.remaining()).isEqualTo(bytes.length);
    }
  }

  @Provide
  Arbitrary<OpaqueAuth> auth() {
    return Combinators.combine(Arbitraries.integers(),
        Arbitraries.bytes().array(byte[].class).ofMaxSize(40)).as(OpaqueAuth::new);
  }

  @Provide
  Arbitrary<ReplyHeader> replies() {
    Arbitrary<Integer> any = Arbitraries.integers();
    Arbitrary<ReplyHeader> accepted = Combinators.combine(any, auth(),
        Arbitraries.of(AcceptStatus.class), any, any).as((xid, verifier, status, low, high) ->
            status == AcceptStatus.PROG_MISMATCH
                ? new ReplyHeader.Accepted(xid, verifier, status, low, high)
                : new ReplyHeader.Accepted(xid, verifier, status, 0, 0));
    Arbitrary<ReplyHeader> mismatch =
        Combinators.combine(any, any, any).as(ReplyHeader.RpcMismatch::new);
    Arbitrary<ReplyHeader> denied =
        Combinators.combine(any, Arbitraries.of(AuthStatus.class)).as(ReplyHeader.AuthError::new);
    return Arbitraries.oneOf(accepted, mismatch, denied);
  }
}
