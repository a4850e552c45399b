// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends from the command line. */
@Timeout(60)
class RpingCommandTest {

  private final Commands commands = new Commands();

  /** A server in a thread of its own, whose output can be read. */
  private final class Server {

    private final BufferedReader output;
    private final CompletableFuture<Integer> status;
    private final String address;

    Server(String... options) throws IOException {
      PipedWriter pipe = new PipedWriter();
      output = new BufferedReader(new PipedReader(pipe, 1 << 20));
      status = CompletableFuture.supplyAsync(
          () -> commands.run(new PrintWriter(pipe, true), options));
      String line = output.readLine();
      boolean json = List.of(options).contains("--json");
      address = json ? new JsonObject(line).getString("listening") : line.substring("listening on ".length());
      assertThat(address).matches("(127\\.0\\.0\\.1|\\[[0:]*:1]):[0-9]+");
    }
  }

  @Test
  void bothEndsWithTheOptionsOfRping(@TempDir Path directory) throws Exception {
    Server server = new Server("rping", "-s", "-a", "127.0.0.1", "-p", "0", "-V", "-v");
    Path capture = directory.resolve("rping.pcapng");
    assertThat(commands.run("rping", server.address, "-C", "2", "-S", "30", "-V", "-v", "--capture",
        capture.toString(), "--setting", "crc=false")).isZero();
    assertThat(commands.err()).isEmpty();
    assertThat(commands.out()).isEqualTo("ping data: rdma-ping-0: ABCDEFGHIJKLMNOP\n"
        + "ping data: rdma-ping-1: BCDEFGHIJKLMNOPQ\n"
        + "2 pings, 60 bytes there and back, all verified\n");
    assertThat(server.status.get(20, TimeUnit.SECONDS)).isZero();
    assertThat(server.output.readLine())
        .isEqualTo("server ping data: rdma-ping-0: ABCDEFGHIJKLMNOP");
    assertThat(capture).isNotEmptyFile();
  }

  /** Fails if {@code RpingCommand} prints the address as Vert.x does, which has no brackets. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("The address that a server prints is the one that a client takes, of IPv6, too")
  void ipv6(boolean json) throws Exception {
    String[] options = {"rping", "-s", "-a", "::1", "-p", "0", "--json"};
    Server server = new Server(json ? options : Arrays.copyOf(options, 6));
    assertThat(commands.run("rping", server.address, "-C", "1")).as(commands.err()).isZero();
    assertThat(server.status.get(20, TimeUnit.SECONDS)).isZero();
  }

  /** Fails if a line of {@code RpingCommand} is no JSON. */
  @Test
  @DisplayName("With --json each line of both ends is an object")
  void json() throws Exception {
    Server server = new Server("rping", "-s", "-a", "127.0.0.1", "-p", "0", "--json");
    assertThat(commands.run("rping", server.address, "-C", "2", "-S", "30", "-V", "-v", "--json")).isZero();
    assertThat(commands.err()).isEmpty();
    assertThat(commands.out().lines().map(JsonObject::new)).containsExactly(
        new JsonObject().put("data", "rdma-ping-0: ABCDEFGHIJKLMNOP"),
        new JsonObject().put("data", "rdma-ping-1: BCDEFGHIJKLMNOPQ"),
        new JsonObject().put("pings", 2).put("bytes", 60).put("verified", true));
    assertThat(server.status.get(20, TimeUnit.SECONDS)).isZero();
    assertThat(new JsonObject(server.output.readLine()))
        .isEqualTo(new JsonObject().put("pings", 2).put("bytes", 60).put("verified", false));
  }

  @Test
  void failuresAreOneLineAndAStatus() throws Exception {
    Server server = new Server("rping", "--server", "--address", "127.0.0.1", "--port", "0",
        "--count", "2");
    assertThat(commands.run("rping", server.address, "--count", "1")).isZero();
    assertThat(server.status.get(20, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(commands.err()).isEqualTo("rpcrdma: The client left after 1 of 2 pings\n");
    assertThat(commands.run("rping", server.address, "--count", "1")).isEqualTo(1);
    assertThat(commands.err()).hasLineCount(2).contains("Is a server listening there?");
  }

  /** Fails if {@code RpingCommand.target} is not read by {@code HostPort}, as those of other commands. */
  @Test
  void wrongCommandLines() {
    assertThat(commands.run("rping", "-s", "host:1")).isEqualTo(2);
    assertThat(commands.run("rping", "-s", "-c")).isEqualTo(2);
    assertThat(commands.run("rping", "host:port")).isEqualTo(2);
    assertThat(commands.run("rping", "host:0")).isEqualTo(2);
    assertThat(commands.run("rping", "host")).isEqualTo(2);
    assertThat(commands.run("rping", "::1:7174")).isEqualTo(2);
    assertThat(commands.run("rping", "-S", "10", "host:1")).isEqualTo(2);
    for (String option : List.of("-a", "--address", "-p", "--port")) {
      Commands both = new Commands();
      assertThat(both.run("rping", option, "7", "127.0.0.1:1")).isEqualTo(2);
      assertThat(both.err()).contains("HOST:PORT says where the server is");
    }
    assertThat(commands.err()).contains("A server pings nobody", "not HOST:PORT: host:port",
        "not HOST:PORT: host:0 (the port is from 1 to 65535)", "not HOST:PORT: host\n",
        "not HOST:PORT: ::1:7174", "'--size': '10' is not a number from 26 to 65535");
    assertThat(commands.run("rping", "-a", "127.0.0.1", "--setting", "crs=true", "-C", "1"))
        .isEqualTo(1);
    assertThat(commands.err()).contains("No such siw setting: crs");
  }
}
