// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rpcrdma.service.processes.Outcome.Result;
import dev.rpcrdma.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Three processes serve, and two call them in both directions. Under load, with a call held at one of its steps, a
 * server is killed, leaves, or is held up until the others hold it to be dead. In a build that happens once, and in
 * the long profile with each fault at each step. Servers write down what they execute, and clients what has become
 * of their calls.
 *
 * <p>The seed, all that processes have said, and what they have written down are in {@code target/dying-servers}.
 */
@Tag("large")
class DyingServersTest {

  private static final boolean LONG = Boolean.getBoolean("rpcrdma.everyStep");
  private static final int LOOPS = 8;
  private static final int LEAST_CALLS = LONG ? 20_000 : 500;
  /** A member that is held up is held to be dead before that. */
  private static final int HELD_UP_SECONDS = LONG ? 30 : TallyMember.DEAD_SECONDS + 5;

  private static final Path FAKE_TIME = Path.of("/usr/lib", System.getProperty("os.arch").replace("amd64", "x86_64")
      + "-linux-gnu", "faketime", "libfaketimeMT.so.1");

  private final String cluster = UUID.randomUUID().toString();
  private final long seed = Long.getLong("rpcrdma.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Path folder = Path.of("target", "dying-servers", Long.toString(seed)).toAbsolutePath();
  private final List<ChildProcess> servers = new ArrayList<>();
  private final Map<ChildProcess, String> members = new HashMap<>();
  private final List<ChildProcess> clients = new ArrayList<>();
  private final List<Incident> incidents = new ArrayList<>();
  private List<Fault> faults = Fault.all(random).subList(0, LONG ? Fault.COUNT : 1);
  private boolean clocksApart;
  private int started;

  @Test
  @DisplayName("Servers die, leave and are held up: no call is lost silently, and none executed twice")
  void everyStep() throws Exception {
    Files.createDirectories(folder);
    try {
      play();
    } finally {
      clients.forEach(ChildProcess::close);
      servers.forEach(ChildProcess::close);
    }
  }

  /** Not held up: Hazelcast 5.6 may take minutes to settle when a member with such a clock comes back. */
  @Test
  @EnabledIfSystemProperty(named = "rpcrdma.everyStep", matches = "true")
  @DisplayName("The same with clocks that are ten minutes apart, where libfaketime is installed")
  void clocksApart() throws Exception {
    assumeThat(FAKE_TIME).as("libfaketime").exists();
    clocksApart = true;
    faults = Fault.all(random).stream().filter(fault -> fault.kind() != Fault.Kind.HELD_UP).limit(4).toList();
    everyStep();
  }

  /** Every other server is ten minutes ahead. */
  private Map<String, String> clocks(int server) {
    // Time-outs go by a clock that stays as it is; the library would let all of them pass at once without the last one.
    return clocksApart && server % 2 == 1 ? Map.of("LD_PRELOAD", FAKE_TIME.toString(), "FAKETIME", "+10m",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1", "FAKETIME_FORCE_MONOTONIC_FIX", "0") : Map.of();
  }

  private void play() throws Exception {
    long began = System.nanoTime();
    serve(1);
    serve(TallyMember.SERVERS - 1);
    for (int i = 0; i < TallyMember.CLIENTS; i++) {
      clients.add(start("client-" + i, Map.of(), TallyClient.class, cluster, members.get(servers.get(0)),
          Integer.toString(i), Integer.toString(TallyMember.CLIENTS), Integer.toString(LOOPS), Long.toString(seed),
          file("outcomes", i), file("told", i)));
    }
    clients.forEach(client -> client.hear("calling"));
    settle(new Fault(Fault.Kind.STARTED, Step.BEFORE_CLAIM), began);
    for (Fault fault : faults) {
      happen(fault);
    }
    await(() -> outcomes().size() >= LEAST_CALLS);
    long made = 0;
    for (ChildProcess client : clients) {
      made += Long.parseLong(client.ask("stop", "ended"));
    }
    judge(made);
  }

  /** Starts a process, all of whose output is in a file of its name. */
  private ChildProcess start(String name, Map<String, String> environment, Class<?> main, String... arguments) {
    return ChildProcess.java(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        System.getProperty("java.class.path"), main, arguments).environment(environment)
        .output(folder.resolve(name + ".log")).start();
  }

  private String file(String what, int index) {
    return folder.resolve(what + "-" + index).toString();
  }

  private void serve(int count) throws IOException {
    List<ChildProcess> more = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = started++;
      ChildProcess server = start("server-" + index, clocks(index), TallyServer.class, cluster,
          String.join(",", members.values()), file("executed", index));
      servers.add(server);
      more.add(server);
    }
    more.forEach(server -> members.put(server, server.hear("serving")));
  }

  /** Only then can the next server die, and no reply is forgotten. */
  private void awaitCalm() throws Exception {
    await(() -> servers.stream().allMatch(server -> server.ask("calm", "it is ").equals("calm")));
  }

  private void happen(Fault fault) throws Exception {
    ChildProcess victim = servers.get(random.nextInt(servers.size()));
    victim.ask("arm " + fault.step(), "reached");
    long began = System.nanoTime();
    switch (fault.kind()) {
      case KILLED -> {
        victim.kill();
        replace(victim);
      }
      case LEFT -> {
        victim.tell("leave");
        victim.tell("go");
        assertThat(victim.hear("left")).isEmpty();
        replace(victim);
      }
      case HELD_UP -> {
        victim.signal("STOP");
        TimeUnit.SECONDS.sleep(HELD_UP_SECONDS);
        victim.signal("CONT");
        victim.tell("go");
      }
    }
    settle(fault, began);
  }

  private void settle(Fault fault, long began) throws Exception {
    awaitCalm();
    incidents.add(new Incident(fault, began, System.nanoTime()));
    // Or the next one would be blamed for what this one has held up.
    clients.forEach(client -> client.ask("round", "round is over"));
  }

  private void replace(ChildProcess gone) throws IOException {
    gone.close();
    servers.remove(gone);
    members.remove(gone);
    serve(1);
  }

  private void judge(long made) throws IOException {
    List<Outcome> calls = outcomes();
    Map<Fault.Kind, List<Long>> gaps = Gaps.of(calls, incidents);
    Map<Result, Long> results = new TreeMap<>();
    calls.forEach(call -> results.merge(call.result(), 1L, Long::sum));
    System.out.println("Seed " + seed + ": " + results + "; gaps in ms, p50, p99 and longest: "
        + gaps.entrySet().stream().map(each -> each.getKey() + " " + Gaps.percentile(each.getValue(), 50) + " "
            + Gaps.percentile(each.getValue(), 99) + " " + Gaps.percentile(each.getValue(), 100)).toList());
    List<Long> told = numbers("told");
    assertThat(told).as("both directions").isNotEmpty();
    assertThat(new Verdict(numbers("executed"), told, incidents).faults(calls, made))
        .as("Seed %s, logs in %s, %s", seed, folder, incidents).isEmpty();
  }

  private List<Outcome> outcomes() throws IOException {
    return lines("outcomes").map(Outcome::parse).toList();
  }

  private List<Long> numbers(String what) throws IOException {
    return lines(what).map(Long::valueOf).toList();
  }

  private Stream<String> lines(String what) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.getFileName().toString().startsWith(what + "-")).toList()) {
        String text = Files.readString(file);
        // The last line may not be whole yet.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
      }
    }
    return lines.stream();
  }

  /** What is to come true. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("nothing comes of it").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
