// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.testkit.Waiting;
import dev.rpcrdma.testkit.lab.GuestProgram;
import dev.rpcrdma.testkit.lab.KernelDevice;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command {@code rping} and Debian's program of that name, by the same device. Run in the lab's VM. */
@DisplayName("rping with Debian's")
public class RpingOnDevices {

  private static final int PORT = 7174;
  private static final int SECONDS = 60;

  /** Many of a few bytes, and some of as many as both can. */
  private record Ping(int count, int size) {

    static final List<Ping> ALL = List.of(new Ping(20, 64), new Ping(3, 60_000));

    Stream<String> options() {
      return Stream.of("-p", "" + PORT, "-C", "" + count, "-S", "" + size, "-V", "-v");
    }

    String report() {
      return count + " pings, " + (long) count * size + " bytes there and back, all verified";
    }

    List<String> data(String output, String prefix) {
      List<String> lines = output.lines().filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length())).toList();
      assertThat(lines).hasSize(count);
      return lines;
    }
  }

  /** Line by line, or what it says of the end gets into the middle of the data. */
  private static GuestProgram debian(Ping ping, String role, KernelDevice device) {
    return GuestProgram.start(Stream.concat(Stream.of("stdbuf", "-oL", "rping", role, "-a", device.address()),
        ping.options()).toArray(String[]::new));
  }

  private static String ours(Commands commands, Ping ping, String role, KernelDevice device) {
    int status = commands.run(Stream.concat(Stream.of("rping", role, "-a", device.address(), "--timeout", "" + SECONDS,
        "--provider", "ibverbs", "--setting", "device=" + device.deviceName()), ping.options())
        .toArray(String[]::new));
    assertThat(status).as(commands.err()).isZero();
    assertThat(commands.out()).contains(ping.report());
    return commands.out();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("our client, its server")
  void client(KernelDevice device) {
    for (Ping ping : Ping.ALL) {
      try (GuestProgram server = debian(ping, "-s", device).awaitListening(device.address(), PORT)) {
        String here = ours(new Commands(), ping, "-c", device);
        assertThat(ping.data(server.await().expectSuccess().output(), "server ping data: "))
            .isEqualTo(ping.data(here, "ping data: "));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("our server, its client")
  void server(KernelDevice device) throws Exception {
    for (Ping ping : Ping.ALL) {
      Commands commands = new Commands();
      CompletableFuture<String> serving = CompletableFuture.supplyAsync(() -> ours(commands, ping, "-s", device));
      Waiting.until(() -> serving.isDone() || commands.out().contains("listening on"));
      try (GuestProgram client = debian(ping, "-c", device)) {
        String there = client.await().expectSuccess().output();
        assertThat(ping.data(there, "ping data: "))
            .isEqualTo(ping.data(serving.get(SECONDS, TimeUnit.SECONDS), "server ping data: "));
      }
    }
  }
}
