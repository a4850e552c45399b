// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.api.KerberosOptions;
import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcProtection;
import dev.rpcrdma.bench.measure.CpuTime;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.rpc.RpcBench;
import dev.rpcrdma.bench.security.ContextCost;
import dev.rpcrdma.bench.security.SecurityPeer;
import dev.rpcrdma.kerberos.gss.GssService;
import dev.rpcrdma.protocol.oncrpc.AuthSys;
import io.vertx.core.net.ClientSSLOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bench/run security}: what it costs to say who calls, to prove it, and to keep others from reading. */
@Command(name = "security", mixinStandardHelpOptions = true,
    description = "128-byte calls over siw, 64 at a time and one, and 1 MiB puts and gets, four at a time: without"
        + " credentials, with AUTH_SYS, with Kerberos as krb5, krb5i and krb5p, with TLS, with TLS and krb5; and what a"
        + " context of Kerberos takes by itself. Two JVMs on loopback, with a key distribution center in one of them.")
final class SecurityCommand implements Callable<Integer> {

  private static final int OUTSTANDING = 64;
  private static final int TURNS = 4;
  private static final int SMALL = 128;
  private static final int LARGE = 1 << 20;
  /** Program, procedure and credential of a call, which its caller signs. */
  private static final int HEAD = 24 + 8 + 36;
  /** The number of a call, which signs its reply. */
  private static final int NUMBER = 4;

  /** What is measured, as mounts of NFS name it; {@code server} is that of {@link SecurityPeer}. */
  private enum Way {
    NONE(0, null, false),
    AUTH_SYS(0, null, false),
    KRB5(1, RpcProtection.AUTHENTICATION, false),
    KRB5I(1, RpcProtection.INTEGRITY, false),
    KRB5P(1, RpcProtection.PRIVACY, false),
    TLS(2, null, true),
    TLS_KRB5(3, RpcProtection.AUTHENTICATION, true),
    TLS_KRB5_BOUND(3, RpcProtection.CHANNEL, true);

    private final int server;
    /** Null without Kerberos. */
    private final RpcProtection protection;
    private final boolean tls;

    Way(int server, RpcProtection protection, boolean tls) {
      this.server = server;
      this.protection = protection;
      this.tls = tls;
    }

    RpcBench connect(PeerProcess peer, SecurityPeer.Keys keys) {
      RpcClientOptions options = new RpcClientOptions();
      if (this == AUTH_SYS) {
        options.setCredentials(new AuthSys(0, "bench", 1000, 100, List.of(100, 27)).toAuth());
      }
      if (protection != null) {
        options.setKerberos(new KerberosOptions(keys.client()).setProtection(protection));
      }
      if (tls) {
        options.setTls(new ClientSSLOptions().setTrustOptions(keys.trust()));
      }
      return new RpcBench(peer.port(server), options);
    }

    String figure(String of) {
      return name().toLowerCase(Locale.ROOT) + "_" + of;
    }
  }

  /** A quantity, by way and repetition. */
  private enum Quantity {
    CALLS("calls_128", "1/s"),
    P50("p50_128", "us"),
    CALL_CPU("cpu_128", "us"),
    PUT("put_1m", "MB/s"),
    PUT_CPU("put_cpu_1m", "us"),
    GET("get_1m", "MB/s"),
    GET_CPU("get_cpu_1m", "us"),
    CALL_THREADS("security_threads_128", "ratio"),
    PUT_THREADS("security_threads_1m", "ratio");

    private final String id;
    private final String unit;

    Quantity(String id, String unit) {
      this.id = id;
      this.unit = unit;
    }

    boolean isCompared() {
      return ordinal() < CALL_THREADS.ordinal();
    }
  }

  /** What protects a call and its reply, by repetition. */
  private record Costs(double[] head, double[] number, double[] signed, double[] encrypted, double[] signedLarge,
      double[] encryptedLarge) {

    Costs(int times) {
      this(new double[times], new double[times], new double[times], new double[times], new double[times],
          new double[times]);
    }
  }

  /** CPU time of both processes, and of their threads that sign and encrypt what is long. */
  private record Cpu(long all, long threads) {}

  @Mixin
  private RunOptions options;

  private PeerProcess peer;
  private Map<Quantity, double[][]> measured;
  private Costs costs;

  @Override
  public Integer call() throws Exception {
    Map<Way, RpcBench> benches = new EnumMap<>(Way.class);
    try (PeerProcess process = PeerProcess.start(SecurityPeer.class)) {
      peer = process;
      SecurityPeer.Keys keys = SecurityPeer.Keys.read(process.ask(SecurityPeer.KEYS));
      ContextCost context = new ContextCost(keys);
      for (Way way : Way.values()) {
        benches.put(way, way.connect(process, keys));
      }
      measure(benches, context, 1, (double) options.warmUp / Way.values().length / 4);
      measure(benches, context, options.repetitions, options.seconds);
    } finally {
      benches.values().forEach(RpcBench::close);
    }
    options.publish(report());
    return 0;
  }

  private void measure(Map<Way, RpcBench> benches, ContextCost context, int times, double seconds)
      throws IOException {
    Way[] ways = Way.values();
    measured = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.values()) {
      measured.put(quantity, new double[ways.length][times]);
    }
    costs = new Costs(times);
    for (int i = 0; i < times; i++) {
      int repetition = i;
      Turns.take(TURNS, ways.length, how -> measure(benches.get(ways[how]), how, repetition, seconds / TURNS));
      measure(context, i, seconds / 6);
    }
  }

  /** Adds a part to the means of a repetition. */
  private void measure(RpcBench bench, int way, int repetition, double seconds) throws IOException {
    Stopwatch.Lap calls = lap(() -> bench.calls(OUTSTANDING, seconds), Quantity.CALL_CPU, Quantity.CALL_THREADS, way,
        repetition);
    add(Quantity.CALLS, way, repetition, calls.perSecond());
    add(Quantity.P50, way, repetition, bench.echo(seconds).p50Micros());
    Stopwatch.Lap puts = lap(() -> bench.puts(seconds), Quantity.PUT_CPU, Quantity.PUT_THREADS, way, repetition);
    add(Quantity.PUT, way, repetition, RpcBench.rate(puts));
    Stopwatch.Lap gets = lap(() -> bench.gets(seconds), Quantity.GET_CPU, null, way, repetition);
    add(Quantity.GET, way, repetition, RpcBench.rate(gets));
  }

  private Stopwatch.Lap lap(Supplier<Stopwatch.Lap> measuring, Quantity cpu, Quantity threads, int way, int repetition)
      throws IOException {
    Cpu before = cpu();
    Stopwatch.Lap lap = measuring.get();
    Cpu after = cpu();
    double all = after.all - before.all;
    add(cpu, way, repetition, all / 1e3 / lap.operations());
    if (threads != null) {
      add(threads, way, repetition, (after.threads - before.threads) / all);
    }
    return lap;
  }

  private void add(Quantity quantity, int way, int repetition, double value) {
    measured.get(quantity)[way][repetition] += value / TURNS;
  }

  private Cpu cpu() throws IOException {
    String[] answer = peer.ask("cpu").split(" ");
    return new Cpu(CpuTime.nanos() + Long.parseLong(answer[0]),
        CpuTime.nanosOf(SecurityPeer.THREADS) + Long.parseLong(answer[1]));
  }

  private void measure(ContextCost context, int repetition, double seconds) {
    costs.head[repetition] = context.signed(HEAD, seconds);
    costs.number[repetition] = context.signed(NUMBER, seconds);
    costs.signed[repetition] = context.body(GssService.INTEGRITY, SMALL, seconds);
    costs.encrypted[repetition] = context.body(GssService.PRIVACY, SMALL, seconds);
    costs.signedLarge[repetition] = context.body(GssService.INTEGRITY, LARGE, seconds);
    costs.encryptedLarge[repetition] = context.body(GssService.PRIVACY, LARGE, seconds);
  }

  private Report report() {
    Report report = options.report("security");
    for (Quantity quantity : Quantity.values()) {
      for (Way way : Way.values()) {
        report.add(new Figure(way.figure(quantity.id), quantity.unit, of(quantity, way)));
      }
    }
    for (Quantity quantity : Quantity.values()) {
      for (Way way : Way.values()) {
        if (way != Way.NONE && quantity.isCompared()) {
          report.add(Figure.ratio(way.figure(quantity.id + "_ratio"), of(quantity, way), of(quantity, Way.NONE)));
        }
      }
    }
    addCosts(report);
    return report;
  }

  private double[] of(Quantity quantity, Way way) {
    return measured.get(quantity)[way.ordinal()];
  }

  /** How much of the CPU time of a call a context takes at both ends. */
  private void addCosts(Report report) {
    report.add(new Figure("context_head", "us", costs.head));
    report.add(new Figure("context_number", "us", costs.number));
    report.add(new Figure("context_signed_128", "us", costs.signed));
    report.add(new Figure("context_encrypted_128", "us", costs.encrypted));
    report.add(new Figure("context_signed_1m", "us", costs.signedLarge));
    report.add(new Figure("context_encrypted_1m", "us", costs.encryptedLarge));
    double[] heads = sum(costs.head, costs.number);
    share(report, Way.KRB5, Quantity.CALL_CPU, heads);
    share(report, Way.KRB5I, Quantity.CALL_CPU, sum(heads, costs.signed, costs.signed));
    share(report, Way.KRB5P, Quantity.CALL_CPU, sum(heads, costs.encrypted, costs.encrypted));
    for (Quantity quantity : List.of(Quantity.PUT_CPU, Quantity.GET_CPU)) {
      share(report, Way.KRB5I, quantity, sum(heads, costs.signed, costs.signedLarge));
      share(report, Way.KRB5P, quantity, sum(heads, costs.encrypted, costs.encryptedLarge));
    }
  }

  private void share(Report report, Way way, Quantity quantity, double[] context) {
    report.add(Figure.ratio(way.figure(quantity.id + "_context_share"), context, of(quantity, way)));
  }

  private static double[] sum(double[]... parts) {
    double[] sum = new double[parts[0].length];
    for (double[] part : parts) {
      Arrays.setAll(sum, i -> sum[i] + part[i]);
    }
    return sum;
  }
}
