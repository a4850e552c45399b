// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpSendQueueTest {

  private static final String HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n";

  @TempDir
  private Path folder;

  private TcpSendQueue queue(String local, int port, String remote, int remotePort) throws IOException {
    return new TcpSendQueue(new InetSocketAddress(InetAddress.getByName(local), port),
        new InetSocketAddress(InetAddress.getByName(remote), remotePort), folder);
  }

  @Test
  @DisplayName("The connection's own line counts, and of it what is to be sent")
  void line() throws IOException {
    Files.writeString(folder.resolve("tcp"), HEAD
        + "   0: 0F02000A:1B58 0202000A:9C40 01 00000010:00000000 00:00000000 00000000     0\n"
        + "   1: 0F02000A:1B58 0202000A:9C41 01 00000000:00000077 00:00000000 00000000     0\n");
    assertThat(queue("10.0.2.15", 7000, "10.0.2.2", 40000).isEmpty()).isFalse();
    assertThat(queue("10.0.2.15", 7000, "10.0.2.2", 40001).isEmpty()).as("what has come does not count").isTrue();
    assertThat(queue("10.0.2.15", 7000, "10.0.2.2", 40002).isEmpty()).as("a connection that is gone").isTrue();
  }

  @Test
  @DisplayName("Addresses of IPv6 have a table of their own")
  void v6() throws IOException {
    Files.writeString(folder.resolve("tcp6"), HEAD + "   0: 0000C0FE000000000054FF5056341212:1B58"
        + " 00000000000000000000000001000000:0016 01 00000001:00000000 00:00000000 00000000     0\n");
    assertThat(queue("fec0::50ff:5400:1212:3456", 7000, "::1", 22).isEmpty()).isFalse();
    assertThat(queue("fec0::50ff:5400:1212:3456", 7000, "::1", 23).isEmpty()).isTrue();
  }

  /** Fails if the numbers are looked for elsewhere in the line than this kernel has them. */
  @Test
  @DisplayName("What a peer does not take is found in this kernel's own table")
  void ownKernel() throws IOException {
    // Nobody accepts, so nobody reads. A socket of Java's that could be of IPv6 as well would be in the other table.
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        SocketChannel client = SocketChannel.open(StandardProtocolFamily.INET)) {
      client.connect(server.getLocalSocketAddress());
      client.configureBlocking(false);
      TcpSendQueue queue = new TcpSendQueue((InetSocketAddress) client.getLocalAddress(),
          (InetSocketAddress) client.getRemoteAddress());
      assertThat(queue.isEmpty()).isTrue();
      while (client.write(ByteBuffer.allocate(1 << 20)) > 0) {
        assertThat(client.isOpen()).isTrue();
      }
      assertThat(queue.isEmpty()).isFalse();
    }
  }

  @Test
  @DisplayName("Without the table nobody can know")
  void noTable() throws IOException {
    TcpSendQueue queue = queue("10.0.2.15", 7000, "10.0.2.2", 40000);
    assertThatThrownBy(queue::isEmpty).isInstanceOf(IOException.class);
  }
}
