// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.siw.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.ChildProcess;
import dev.rpcrdma.testkit.lab.NeedsTools;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A listener whose process has as many files open as it may have. */
@DisplayName("siw: file descriptors")
@EnabledOnOs(OS.LINUX)
@NeedsTools(programs = "bash", packages = "bash")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("large")
final class DescriptorLimitTest {

  private static final int LIMIT = 300;
  private static final int WATCHED_MILLIS = 2000;

  private ChildProcess process;

  @BeforeEach
  void start() {
    String java = ProcessHandle.current().info().command().orElse("java");
    process = ChildProcess.command(List.of("bash", "-c", "ulimit -n " + LIMIT + "; exec \"$0\" \"$@\"", java,
        "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), GreedyServer.class.getName()))
        .errors(ProcessBuilder.Redirect.DISCARD).start();
  }

  @AfterEach
  void end() {
    process.destroy();
  }

  private String order(String word) {
    return process.ask(word, "");
  }

  @Test
  @DisplayName("P-028, B-138: out of descriptors it waits without spinning, and goes on when there are some")
  void outOfDescriptors() throws IOException {
    SocketAddress address =
        SocketAddress.inetSocketAddress(Integer.parseInt(order("listen")), "127.0.0.1");
    try (RawPeer first = RawPeer.connected(address)) {
      order("take");
      try (RawPeer second = new RawPeer(address)) {
        second.write(RawPeer.REQUEST);
        long before = Long.parseLong(order("cpu"));
        assertThat(second.silentFor(WATCHED_MILLIS)).isTrue();
        assertThat(Long.parseLong(order("cpu")) - before).as("milliseconds of CPU")
            .isLessThan(WATCHED_MILLIS / 2);
        order("free");
        assertThat(second.readReply().rejected()).isFalse();
      }
      RawPeer.connected(address).close();
      assertThat(first.silentFor(1)).as("the connection from before is still there").isTrue();
    }
  }
}
