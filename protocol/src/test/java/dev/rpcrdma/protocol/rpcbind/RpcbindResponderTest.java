// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.rpcbind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.protocol.oncrpc.AcceptStatus;
import dev.rpcrdma.protocol.oncrpc.AuthStatus;
import dev.rpcrdma.protocol.oncrpc.CallHeader;
import dev.rpcrdma.protocol.oncrpc.OncRpc;
import dev.rpcrdma.protocol.oncrpc.OpaqueAuth;
import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.xdr.XdrEncoder;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Calls and replies of Debian's rpcbind, and the answers of our own to the same calls. Fails if a field of {@link
 * Rpcb} is out of its place, if {@link RpcbindResponder} disregards the netid that it is asked for, or if {@link
 * RpcbindTable} lets another owner take an entry back.
 */
@DisplayName("rpcbind (RFC 1833 §2): calls and answers")
class RpcbindResponderTest {

  private static final int SECONDS = 0x6b04b564;
  private static final RpcbindCaller LOCAL = new RpcbindCaller(true, Netid.TCP, "127.0.0.1", SECONDS);
  private static final RpcbindCaller REMOTE = new RpcbindCaller(false, Netid.TCP, "192.0.2.7", SECONDS);

  private final Map<String, Recorded> session = Recorded.session();
  private final RpcbindTable table = new RpcbindTable(100);
  private final RpcbindResponder responder = new RpcbindResponder(table);

  private static XdrReader results(byte[] reply) {
    XdrReader reader = new XdrReader(ByteBuffer.wrap(reply));
    assertThat(ReplyHeader.decode(reader)).isInstanceOfSatisfying(ReplyHeader.Accepted.class,
        accepted -> assertThat(accepted.status()).isEqualTo(AcceptStatus.SUCCESS));
    return reader;
  }

  private static byte[] call(int version, int procedure, XdrEncoder arguments) {
    XdrWriter writer = new XdrWriter();
    new CallHeader(7, RpcbindProgram.NUMBER, version, procedure, OpaqueAuth.NONE).encode(writer);
    arguments.encode(writer);
    return writer.toByteArray();
  }

  private XdrReader ask(int procedure, Rpcb asked, RpcbindCaller caller) {
    return results(responder.answer(call(4, procedure, asked::encode), caller));
  }

  private String address(int version, String netid, RpcbindCaller caller) {
    return ask(RpcbindProgram.GETADDR, new Rpcb(300, version, netid, "", ""), caller).string(100);
  }

  @Test
  @DisplayName("R-182, B-113: Debian's rpcbind lists what was registered for RDMA; what it says, written again, is the"
      + " same bytes")
  void debianDump() {
    for (String name : List.of("dump-v3", "dump-v4")) {
      XdrReader reader = results(session.get(name).reply());
      List<Rpcb> all = Rpcb.decodeList(reader);
      reader.end();
      assertThat(all).contains(new Rpcb(0x20060001, 1, Netid.RDMA, "127.0.0.1.78.81", "superuser"),
          new Rpcb(0x20060001, 1, Netid.RDMA6, "::1.78.81", "superuser"),
          new Rpcb(0x20060002, 1, Netid.RDMA, "0.0.0.0.78.82", "unknown"),
          new Rpcb(100000, 4, "local", "/run/rpcbind.sock", "superuser")).hasSize(15);
      XdrWriter writer = new XdrWriter();
      new ReplyHeader.Accepted(name.equals("dump-v3") ? 10 : 9, AcceptStatus.SUCCESS).encode(writer);
      Rpcb.encodeList(writer, all);
      assertThat(writer.toByteArray()).isEqualTo(session.get(name).reply());
    }
    List<PortMapping> old = PortMapping.decodeList(results(session.get("dump-v2").reply()));
    assertThat(old).hasSize(6).contains(new PortMapping(100000, 2, RpcbindProgram.PROTOCOL_UDP, 111));
    assertThat(old.get(0).toRpcb()).isEqualTo(new Rpcb(100000, 4, Netid.TCP, "0.0.0.0.0.111", ""));
  }

  /** The netid of the argument is what Debian's disregards; the owner is what it knows better over its socket. */
  @Test
  @DisplayName("The same calls have the same answers here, byte by byte, as far as it does not matter who calls")
  void sameAnswers() {
    Set<String> otherwise = Set.of("getaddr-rdma-v4", "getaddr-rdma-portmapper-v3", "dump-v4", "dump-v3", "dump-v2",
        "unset-tcp", "unset-local", "unset-nothing-local");
    for (int version = 4; version >= 2; version--) {
      table.set(new Rpcb(RpcbindProgram.NUMBER, version, Netid.TCP, "0.0.0.0.0.111", "superuser"));
    }
    session.forEach((name, recorded) -> {
      byte[] answer = responder.answer(recorded.call(), LOCAL);
      if (!otherwise.contains(name)) {
        assertThat(answer).as(name).isEqualTo(recorded.reply());
      }
    });
  }

  /** Fails if {@code RpcbindTable.set} counts entries and not their bytes, or {@code unset} gives no room back. */
  @Test
  @DisplayName("Entries of long texts are taken as long as a DUMP of all fits what callers take, which is 1 MiB")
  void longTexts() {
    RpcbindTable large = new RpcbindTable(1024);
    RpcbindResponder answering = new RpcbindResponder(large);
    String text = "\u00e4".repeat(Rpcb.MAX_TEXT / 2);
    int set = 0;
    String netid = "tcp" + text.substring(2);
    while (set < 1024 && large.set(new Rpcb(set, 1, netid, text, text))) {
      set++;
    }
    byte[] dump = answering.answer(call(4, RpcbindProgram.DUMP, XdrEncoder.VOID), REMOTE);
    assertThat(dump).hasSizeBetween((1 << 20) - 4096, 1 << 20);
    assertThat(Rpcb.decodeList(results(dump))).hasSize(set);
    assertThat(large.unset(new Rpcb(0, 1, "", "", text))).isTrue();
    assertThat(large.set(new Rpcb(5000, 1, netid, text, text))).isTrue();
    assertThat(large.set(new Rpcb(5001, 1, netid, text, text))).isFalse();
  }

  @Test
  @DisplayName("R-181, B-113: GETADDR tells the address of the netid that is asked for; that of another version if"
      + " there is none of this one; nothing if there is none")
  void addresses() {
    table.set(new Rpcb(300, 1, Netid.TCP, "10.0.0.1.0.7", "a"));
    table.set(new Rpcb(300, 1, Netid.RDMA, "10.0.0.1.78.81", "a"));
    table.set(new Rpcb(300, 1, Netid.RDMA6, "fd00::1.78.82", "a"));
    assertThat(address(1, Netid.RDMA, LOCAL)).isEqualTo("10.0.0.1.78.81");
    assertThat(address(1, Netid.RDMA6, LOCAL)).isEqualTo("fd00::1.78.82");
    assertThat(address(1, "", LOCAL)).isEqualTo("10.0.0.1.0.7");
    assertThat(address(2, Netid.RDMA, LOCAL)).isEqualTo("10.0.0.1.78.81");
    assertThat(address(1, Netid.UDP, LOCAL)).isEmpty();
  }

  @Test
  @DisplayName("B-113: a wildcard becomes the address that the caller has reached, if it is of the same family")
  void wildcards() {
    table.set(new Rpcb(300, 1, Netid.RDMA, "0.0.0.0.78.81", "a"));
    table.set(new Rpcb(300, 1, Netid.RDMA6, "::.78.81", "a"));
    assertThat(address(1, Netid.RDMA, REMOTE)).isEqualTo("192.0.2.7.78.81");
    assertThat(address(1, Netid.RDMA6, REMOTE)).isEqualTo("::.78.81");
    assertThat(address(1, Netid.RDMA6, new RpcbindCaller(false, Netid.TCP6, "fd00::7", 0))).isEqualTo("fd00::7.78.81");
  }

  @Test
  @DisplayName("R-182: SET is kept, the same again is taken, and another address is not; nor an address of another"
      + " family, nor more than there is room for")
  void set() {
    RpcbindTable two = new RpcbindTable(2);
    Rpcb first = new Rpcb(300, 1, Netid.RDMA, "10.0.0.1.78.81", "a");
    assertThat(two.set(first)).isTrue();
    assertThat(two.set(first)).isTrue();
    assertThat(two.set(new Rpcb(300, 1, Netid.RDMA, "10.0.0.1.78.82", "a"))).isFalse();
    assertThat(two.set(new Rpcb(300, 1, Netid.RDMA6, "10.0.0.1.78.81", "a"))).isFalse();
    assertThat(two.set(new Rpcb(300, 1, Netid.RDMA6, "nowhere", "a"))).isFalse();
    assertThat(two.set(new Rpcb(300, 1, "", "10.0.0.1.78.81", "a"))).isFalse();
    assertThat(two.set(new Rpcb(300, 1, "local", "", "a"))).isFalse();
    assertThat(two.set(new Rpcb(300, 1, "local", "/run/a", "a"))).isTrue();
    assertThat(two.set(new Rpcb(301, 1, Netid.RDMA, "10.0.0.1.78.81", "a"))).isFalse();
    assertThat(two.all()).hasSize(2);
  }

  @Test
  @DisplayName("R-182: UNSET takes back what its owner has registered, for one netid or for all; nobody else's")
  void unset() {
    table.set(new Rpcb(300, 1, Netid.RDMA, "10.0.0.1.78.81", "a"));
    table.set(new Rpcb(300, 1, Netid.RDMA6, "::1.78.81", "a"));
    table.set(new Rpcb(300, 2, Netid.RDMA, "10.0.0.1.78.81", "a"));
    assertThat(table.unset(new Rpcb(300, 1, "", "", "b"))).isFalse();
    assertThat(table.all()).hasSize(3);
    assertThat(table.unset(new Rpcb(300, 1, Netid.RDMA, "", "a"))).isTrue();
    assertThat(table.all()).hasSize(2);
    assertThat(table.unset(new Rpcb(300, 1, "", "", "a"))).isTrue();
    assertThat(table.all()).extracting(Rpcb::version).containsExactly(2);
    assertThat(table.unset(new Rpcb(300, 1, "", "", "a"))).isTrue();
  }

  @Test
  @DisplayName("Who may not register is refused for who it is, and asks as everybody")
  void strangers() {
    Rpcb entry = new Rpcb(300, 1, Netid.RDMA, "10.0.0.1.78.81", "a");
    for (int procedure : new int[] {RpcbindProgram.SET, RpcbindProgram.UNSET}) {
      assertThat(ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(
          responder.answer(call(4, procedure, entry::encode), REMOTE)))))
          .isEqualTo(new ReplyHeader.AuthError(7, AuthStatus.TOOWEAK));
    }
    assertThat(table.all()).isEmpty();
    table.set(entry);
    assertThat(address(1, Netid.RDMA, REMOTE)).isEqualTo("10.0.0.1.78.81");
  }

  @Test
  @DisplayName("Other programs and other versions of RPC are refused as RFC 5531 §9 says")
  void refused() {
    XdrWriter program = new XdrWriter();
    new CallHeader(7, 300, 4, 3, OpaqueAuth.NONE).encode(program);
    assertThat(ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(responder.answer(program.toByteArray(), LOCAL)))))
        .isEqualTo(new ReplyHeader.Accepted(7, AcceptStatus.PROG_UNAVAIL));
    XdrWriter rpc = new XdrWriter();
    rpc.int32(7).int32(OncRpc.CALL).int32(3);
    assertThat(ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(responder.answer(rpc.toByteArray(), LOCAL)))))
        .isEqualTo(new ReplyHeader.RpcMismatch(7));
  }

  @Test
  @DisplayName("Each recorded call, cut at each byte, is answered, or has no head; each reply is none")
  void cut() {
    session.forEach((name, recorded) -> {
      for (int length = 0; length < recorded.call().length; length++) {
        byte[] part = Arrays.copyOf(recorded.call(), length);
        if (length < 40) {
          assertThatThrownBy(() -> responder.answer(part, LOCAL)).as(name).isInstanceOf(XdrException.class);
        } else {
          assertThat(ReplyHeader.decode(new XdrReader(ByteBuffer.wrap(responder.answer(part, LOCAL))))).as(name)
              .isEqualTo(new ReplyHeader.Accepted(part[3], AcceptStatus.GARBAGE_ARGS));
        }
      }
    });
    for (String name : List.of("dump-v3", "dump-v4")) {
      byte[] whole = session.get(name).reply();
      for (int length = OncRpc.SUCCESS_HEADER_LENGTH; length < whole.length; length++) {
        XdrReader reader = results(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> Rpcb.decodeList(reader)).isInstanceOf(XdrException.class);
      }
    }
  }
}
