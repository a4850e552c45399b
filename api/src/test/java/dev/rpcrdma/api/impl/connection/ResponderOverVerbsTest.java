// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.connection;

import static dev.rpcrdma.api.fixture.RawClient.segment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.api.fixture.RawClient;
import dev.rpcrdma.api.fixture.RpcBed;
import dev.rpcrdma.testkit.Peer;
import dev.rpcrdma.testkit.VerbsBed;
import dev.rpcrdma.verbs.Access;
import dev.rpcrdma.verbs.DeviceOptions;
import dev.rpcrdma.verbs.Exposure;
import dev.rpcrdma.verbs.LocalMemory;
import dev.rpcrdma.verbs.VerbsProviders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a server of ours answers, over a real connection, to a peer that speaks verbs and builds its own
 * messages. After each the peer is still served, and nothing is left behind.
 *
 * <p>In the rows N stands for three empty lists, M for the header of an RDMA_MSG with them, C for the
 * head of a call up to its procedure, A for no credentials, R for the header and head of an accepted
 * reply, D for those of a denied one, and E for an RDMA_ERROR.
 */
class ResponderOverVerbsTest {

  private static final String N = "00000000 00000000 00000000";
  private static final String M = "00000009 00000001 00000010 00000000" + N;
  private static final String C = "00000009 00000000 00000002 20060099 00000001";
  private static final String A = "00000000 00000000 00000000 00000000";
  private static final String REPLY = "00000009 00000001 00000040 00000000" + N + "00000009 00000001";
  private static final String R = REPLY + "00000000 00000000 00000000";
  private static final String D = REPLY + "00000001";
  private static final String E = "00000009 00000001 00000040 00000004";

  private final VerbsBed raw = new VerbsBed(VerbsProviders.named("siw"), DeviceOptions.DEFAULT);
  private RpcBed bed;
  private RawClient client;

  @BeforeEach
  void connect() {
    bed = new RpcBed("siw");
    client = new RawClient(raw, bed.address());
  }

  @AfterEach
  void stillServed() {
    client.receive();
    client.send(words("00000001 00000001 00000010 00000000 N 00000001 00000000 00000002 20060099 00000001"
        + "00000000 A"));
    assertThat(client.answer()).isEqualTo(words("00000001 00000001 00000040 00000000 N"
        + "00000001 00000001 00000000 00000000 00000000 00000000"));
    raw.close();
    bed.close();
  }

  /** Replaces the letters, and sets spaces between words. */
  private static String words(String row) {
    return row.replace("M", M).replace("N", N).replace("C", C).replace("A", A).replace("R", R)
        .replace("D", D).replace("E", E).replace(" ", "").toLowerCase()
        .replaceAll("(.{8})(?=.)", "$1 ");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = """
      R-145 R-146 R-300: version 0              | 00000009 00000000 00000010 00000000 N | \
      00000009 00000000 00000040 00000004 00000001 00000001 00000001
      R-145 R-146 R-300: version 2              | 00000009 00000002 00000010 00000000 N | \
      00000009 00000002 00000040 00000004 00000001 00000001 00000001
      R-142 R-304: an unknown procedure         | 00000009 00000001 00000010 00000005 N | E 00000002
      R-126: RDMA_MSGP                          | 00000009 00000001 00000010 00000002 N | E 00000002
      R-142: a list that is neither there nor not \
      | 00000009 00000001 00000010 00000000 00000002 00000000 00000000 C 00000001 A | E 00000002
      R-147: lists that are cut short           \
      | 00000009 00000001 00000010 00000000 00000001 00000000 00000abc | E 00000002
      R-147 B-071: a Write chunk of 2^31 segments \
      | 00000009 00000001 00000010 00000000 00000000 00000001 80000000 00000000 | E 00000002
      R-068 R-147: an odd Position              \
      | 00000009 00000001 00000010 00000000 00000001 00000003 00000abc 00000004 00000000 00000000 \
      N C 00000001 A | E 00000002
      R-090 B-060: lengths whose sum is 2^32    \
      | 00000009 00000001 00000010 00000001 00000001 00000000 00000abc 80000000 00000000 00000000 \
      00000001 00000000 00000abc 80000000 00000000 00000000 N | E 00000002
      R-125: an RDMA_NOMSG without a message    | 00000009 00000001 00000010 00000001 N | E 00000002
      R-120 R-147: another XID inside           \
      | M 00000008 00000000 00000002 20060099 00000001 00000001 A | E 00000002
      R-147: credentials that are too long      \
      | M 00000009 00000000 00000002 20060099 00000001 00000001 00000001 00000191 00000000 00000000 | E 00000002
      B-106: RPC version 3                      | M 00000009 00000000 00000003 | D 00000000 00000002 00000002
      B-108: credentials that are none          \
      | M C 00000001 00000001 00000004 ffffffff 00000000 00000000 | D 00000001 00000001
      B-108: credentials of an unknown flavor   \
      | M C 00000001 00000063 00000000 00000000 00000000 | D 00000001 00000002
      B-107: an unknown program                 \
      | M 00000009 00000000 00000002 20060098 00000001 00000001 A | R 00000001
      B-107: an unknown version                 \
      | M 00000009 00000000 00000002 20060099 00000007 00000001 A | R 00000002 00000001 00000001
      B-107: an unknown procedure of a program  | M C 00000063 A | R 00000003
      R-148: arguments that end too early       | M C 00000001 A 00000008 00000000 | R 00000004
      R-148: arguments that do not end          | M C 00000001 A 00000000 00000000 | R 00000004
      a service that fails                      | M C 00000003 A | R 00000005
      R-153: a reply that fits nowhere          | M C 00000001 A 000003d0 F | E 00000002
      a call that asks for no credits           \
      | 00000009 00000001 00000000 00000000 N C 00000001 A 00000000 | R 00000000 00000000
      """)
  void answered(String what, String message, String answer) {
    client.send(words(message.replace("F", "00".repeat(0x3d0))));
    assertThat(client.answer()).as(what).isEqualTo(words(answer));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(delimiter = '|', textBlock = """
      R-141: nothing                    | 00
      R-141: three words                | 00000009 00000001 00000010
      R-141 C-08: a header cut short    | 00000009 00000001 00000010 00000000 00000000
      R-141 C-08: version 2, cut short  | 00000009 00000002 00000010 00000000 00000000
      R-141 C-08: RDMA_MSGP, cut short  | 00000009 00000001 00000010 00000002
      R-141: an RDMA_MSG without a message | M
      R-141: a head that is cut short   | M 00000009 00000000 00000002 20060099
      R-131: RDMA_DONE                  | 00000009 00000001 00000010 00000003
      R-144: RDMA_ERROR                 | 00000009 00000001 00000010 00000004 00000002
      R-144: RDMA_ERROR of version 2    | 00000009 00000002 00000010 00000004 00000002
      R-144 R-151: RDMA_ERROR, cut short | 00000009 00000001 00000010 00000004 00000001 00000001
      """)
  void silent(String what, String message) {
    client.send(words(message));
    client.send(words("M C 00000000 A"));
    assertThat(client.answer()).as("the answer to the call behind " + what)
        .isEqualTo(words("R 00000000"));
  }

  /** Fails if {@code RpcConnectionImpl.disconnected} does not pass on which tag was refused. */
  @Test
  @DisplayName("R-152: a call whose chunk the peer's device has refused three times is answered ERR_CHUNK after that")
  void hopeless() {
    String call = words("00000009 00000001 00000010 00000000 00000000 00000001 00000001 0badbad0 00000004 00000000"
        + "00000000 00000000 00000000 C 00000002 A 00000004 01020304");
    for (int i = 0; i < 3; i++) {
      RawClient refusing = new RawClient(raw, bed.address());
      refusing.receive();
      refusing.send(call);
      refusing.peer.awaitDisconnected();
    }
    client.send(call);
    assertThat(client.answer()).isEqualTo(words("E 00000002"));
  }

  @Test
  @DisplayName("R-153 B-066: a Reply chunk that is too small is not written to, and answered ERR_CHUNK")
  void smallReplyChunk() {
    LocalMemory memory = client.peer.memory(900);
    Exposure chunk = client.peer.expose(memory, Access.REMOTE_WRITE);
    client.send(words("00000009 00000001 00000010 00000000 00000000 00000000 00000001 00000001"
        + segment(chunk) + "C 00000001 A 000003c8" + "11".repeat(0x3c8)));
    assertThat(client.answer()).isEqualTo(words("E 00000002"));
    assertThat(Peer.bytes(memory, 0, 900)).containsOnly(0);
  }

  @Test
  @DisplayName("R-077 R-087: chunks that are not used come back empty")
  void unusedChunks() {
    Exposure write = client.peer.expose(client.peer.memory(100), Access.REMOTE_WRITE);
    Exposure reply = client.peer.expose(client.peer.memory(100), Access.REMOTE_WRITE);
    client.send(words("00000009 00000001 00000010 00000000 00000000 00000001 00000001"
        + segment(write) + "00000000 00000001 00000001" + segment(reply) + "C 00000001 A 00000000"));
    assertThat(client.answer()).isEqualTo(words("00000009 00000001 00000040 00000000 00000000"
        + "00000001 00000001" + segment(write).replaceFirst("00000064", "00000000")
        + "00000000 00000001 00000001" + segment(reply).replaceFirst("00000064", "00000000")
        + "00000009 00000001 00000000 00000000 00000000 00000000 00000000"));
  }

  @Test
  @DisplayName("R-062 R-063 R-073 R-074: an item comes in two segments, and goes in two")
  void segments() {
    byte[] item = new byte[2001];
    item[0] = 1;
    item[1000] = 2;
    item[2000] = 3;
    Exposure source = client.peer.expose(client.peer.memory(item), Access.REMOTE_READ);
    LocalMemory first = client.peer.memory(1001);
    LocalMemory second = client.peer.memory(2000);
    Exposure one = client.peer.expose(first, Access.REMOTE_WRITE);
    Exposure two = client.peer.expose(second, Access.REMOTE_WRITE);
    client.send(words("00000009 00000001 00000010 00000000"
        + "00000001 0000002c %1$08x 000003e8 %2$016x 00000001 0000002c %1$08x 000003e9 %3$016x"
            .formatted(source.steeringTag(), source.remoteOffset(), source.remoteOffset() + 1000)
        + "00000000 00000001 00000002" + segment(one) + segment(two)
        + "00000000 00000000 C 00000002 A 000007d1"));
    assertThat(client.answer()).isEqualTo(words("00000009 00000001 00000040 00000000 00000000"
        + "00000001 00000002" + segment(one) + segment(two).replaceFirst("000007d0", "000003e8")
        + "00000000 00000000 00000009 00000001 00000000 00000000 00000000 00000000 000007d1"));
    assertThat(Peer.bytes(first, 0, 1001)).startsWith(1).endsWith(2);
    assertThat(Peer.bytes(second, 0, 1000)).endsWith(3);
  }
}
