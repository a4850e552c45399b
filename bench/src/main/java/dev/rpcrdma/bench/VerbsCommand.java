// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.bench;

import dev.rpcrdma.bench.measure.Allocations;
import dev.rpcrdma.bench.measure.Baselines;
import dev.rpcrdma.bench.measure.Figure;
import dev.rpcrdma.bench.measure.Footprint;
import dev.rpcrdma.bench.measure.PeerProcess;
import dev.rpcrdma.bench.measure.Stopwatch;
import dev.rpcrdma.bench.verbs.IdleConnections;
import dev.rpcrdma.bench.verbs.VerbsBench;
import dev.rpcrdma.bench.verbs.VerbsBenchPeer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Sends, Writes and Reads over siw beside a NetSocket and a raw stream, all in one run. */
@Command(name = "verbs", mixinStandardHelpOptions = true,
    description = "128-byte Sends and 1 MiB Writes and Reads over siw, with and without CRC, in turn "
        + "with a Vert.x NetSocket echo and a raw SocketChannel stream. Two JVMs on loopback.")
final class VerbsCommand implements Callable<Integer> {

  private static final int LAPS = 8;
  private static final int IDLE_CONNECTIONS = 10_000;

  @Mixin
  private RunOptions options;

  private double[] socketMicros;
  private double[] socketRate;
  private double[] ping;
  private double[] stream;
  private double[] raw;
  private double[] writeChecked;
  private double[] writeUnchecked;
  private double[] readChecked;
  private double[] readUnchecked;
  private double[] allocated;
  private double[] idle;

  @Override
  public Integer call() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (PeerProcess peer = PeerProcess.start(VerbsBenchPeer.class)) {
      Baselines baselines = new Baselines(vertx, peer.port(0), peer.port(1));
      VerbsBench checked = new VerbsBench(vertx, peer.port(2), true);
      VerbsBench unchecked = new VerbsBench(vertx, peer.port(3), false);
      measure(peer, baselines, checked, unchecked, 1, (double) options.warmUp / LAPS);
      measure(peer, baselines, checked, unchecked, options.repetitions, options.seconds);
      idle = new double[] {idle(peer, vertx)};
    }
    options.publish(report());
    return 0;
  }

  private void measure(PeerProcess peer, Baselines baselines, VerbsBench checked,
      VerbsBench unchecked, int times, double seconds) throws IOException {
    clear(times);
    long nanos = Stopwatch.nanos(seconds);
    for (int i = 0; i < times; i++) {
      Stopwatch.Lap echo = baselines.echo(seconds);
      socketMicros[i] = echo.p50Micros();
      socketRate[i] = echo.perSecond();
      long before = Allocations.ofEventLoops() + Long.parseLong(peer.ask("allocated"));
      ping[i] = checked.pingMicros(nanos);
      long after = Allocations.ofEventLoops() + Long.parseLong(peer.ask("allocated"));
      // There and back are two operations.
      allocated[i] = (after - before) / (2.0 * checked.operations());
      stream[i] = checked.streamRate(nanos);
      raw[i] = baselines.rawRate(seconds, false);
      writeChecked[i] = checked.writeRate(nanos);
      writeUnchecked[i] = unchecked.writeRate(nanos);
      readChecked[i] = checked.readRate(nanos);
      readUnchecked[i] = unchecked.readRate(nanos);
    }
  }

  /** What a connection that does nothing costs, both of its ends together. */
  private double idle(PeerProcess peer, Vertx vertx) throws IOException {
    try (IdleConnections connections = new IdleConnections(vertx)) {
      // The first ones bring classes and pools with them.
      connections.open(peer.port(4), IDLE_CONNECTIONS / 10);
      long before = Footprint.bytes() + Long.parseLong(peer.ask("footprint"));
      connections.open(peer.port(4), IDLE_CONNECTIONS);
      long after = Footprint.bytes() + Long.parseLong(peer.ask("footprint"));
      return (double) (after - before) / IDLE_CONNECTIONS;
    }
  }

  private void clear(int times) {
    socketMicros = new double[times];
    socketRate = new double[times];
    ping = new double[times];
    stream = new double[times];
    raw = new double[times];
    writeChecked = new double[times];
    writeUnchecked = new double[times];
    readChecked = new double[times];
    readUnchecked = new double[times];
    allocated = new double[times];
  }

  private Report report() {
    Report report = options.report("verbs");
    report.add(new Figure("netsocket_echo_128_p50", "us", socketMicros));
    report.add(new Figure("send_pingpong_128_p50", "us", ping));
    report.add(Figure.ratio("send_pingpong_128_p50_ratio", ping, socketMicros));
    report.add(new Figure("send_stream_128", "1/s", stream));
    report.add(Figure.ratio("send_stream_128_ratio", stream, socketRate));
    report.add(new Figure("raw_stream_1m", "MB/s", raw));
    report.add(new Figure("write_1m_crc", "MB/s", writeChecked));
    report.add(Figure.ratio("write_1m_ratio_crc", writeChecked, raw));
    report.add(Figure.ratio("write_1m_ratio_nocrc", writeUnchecked, raw));
    report.add(new Figure("read_1m_crc", "MB/s", readChecked));
    report.add(Figure.ratio("read_1m_ratio_crc", readChecked, raw));
    report.add(Figure.ratio("read_1m_ratio_nocrc", readUnchecked, raw));
    report.add(new Figure("alloc_per_op_bytes", "bytes", allocated));
    report.add(new Figure("idle_connection_bytes", "bytes", idle));
    return report;
  }
}
