// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.protocol.xdr.XdrEncoder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LEAVING: a server goes, and nothing that its client has sent is lost. */
class LeavingTest {

  private static final String LEAVING = "00003001 00000001 %s 00000000" + MachineBed.NO_LISTS
      + "00003001 00000000 00000002 2006f000 00000001 00000004 00000000 00000000 00000000 00000000 4d440000";
  private static final String INLINE_CALL =
      "00000007 00000001 00000010 00000000" + MachineBed.NO_LISTS + "00000007" + MachineBed.CALL;

  private MachineBed bed;

  private void open(boolean client) {
    bed = new MachineBed(MachineBed.like(client).metadata(true));
  }

  private void close() {
    bed.machine.close(bed.now);
    bed.settle();
  }

  private void end() {
    bed.lose("the end");
    bed.settle();
    bed.checkAtRest();
  }

  /** Fails if {@code ConnectionMachine.close} does not tell, or {@code checkDrained} does not wait. */
  @Test
  @DisplayName("A server says that it leaves, and serves until its client has ended the connection")
  void server() {
    open(false);
    close();
    assertThat(bed.takeSent()).singleElement().asString()
        .endsWith("2006f000 00000001 00000004 00000000 00000000 00000000 00000000 4d440000");
    assertThat(bed.disconnected).isEmpty();
    bed.receive(INLINE_CALL + " 4d440000");
    bed.incoming.get(0).reply(XdrEncoder.VOID);
    bed.settle();
    assertThat(bed.takeSent()).as("a call that was on its way").hasSize(1);
    assertThat(bed.disconnected).isEmpty();
    end();
  }

  @Test
  @DisplayName("A client that does not end the connection has the time to drain, and no more")
  void deafClient() {
    open(false);
    close();
    bed.now += 2 * MachineBed.SECOND;
    bed.deadlines.advance(bed.now);
    bed.settle();
    assertThat(bed.disconnected).isEqualTo("Closed");
    end();
  }

  /** Fails if {@code Responder.control} does not tell. */
  @Test
  @DisplayName("A client that hears it ends the connection when its calls have ended, and makes no more over it")
  void client() {
    open(true);
    MachineBed.Heard sent = bed.call(0);
    bed.takeSent();
    bed.receive(LEAVING.formatted("00000020"));
    MachineBed.Heard late = bed.call(0);
    assertThat(late.events).containsExactly("CLOSED");
    assertThat(bed.takeSent()).singleElement().asString().as("its reply").startsWith("00003001")
        .endsWith("00000000 4d440000");
    assertThat(bed.disconnected).isEmpty();
    bed.receive("51000000 00000001 00000003 00000000" + MachineBed.NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000 4d440000");
    assertThat(sent.events).containsExactly("reply ");
    assertThat(bed.disconnected).isEqualTo("Closed");
    end();
  }

  @Test
  @DisplayName("Between ends without metadata there is none: a server ends the connection itself")
  void withoutMetadata() {
    bed = new MachineBed(MachineBed.like(false).metadata(false));
    close();
    assertThat(bed.takeSent()).isEmpty();
    assertThat(bed.disconnected).isEqualTo("Closed");
    end();
  }

  @Test
  @DisplayName("A server has no such procedure")
  void toServer() {
    open(false);
    bed.receive(LEAVING.formatted("00000020"));
    assertThat(bed.takeSent()).singleElement().asString().endsWith("00000003 4d440000");
    assertThat(bed.disconnected).isEmpty();
    end();
  }

  /** Fails if {@code ConnectionMachine.call} refuses each call of an end that is closing. */
  @Test
  @DisplayName("What a call that is served needs of the peer is called as ever, and nothing else is")
  void callbacks() {
    bed = new MachineBed(MachineBed.like(false).metadata(false));
    bed.receive(INLINE_CALL);
    close();
    MachineBed.Heard callback = bed.call(0);
    assertThat(callback.events).isEmpty();
    assertThat(bed.takeSent()).hasSize(1);
    bed.receive("51000000 00000001 00000003 00000000" + MachineBed.NO_LISTS
        + "51000000 00000001 00000000 00000000 00000000 00000000");
    assertThat(callback.events).containsExactly("reply ");
    assertThat(bed.disconnected).isEmpty();
    bed.incoming.get(0).reply(XdrEncoder.VOID);
    bed.settle();
    assertThat(bed.disconnected).isEqualTo("Closed");
    assertThat(bed.call(0).events).containsExactly("CLOSED");
    end();
  }
}
