package dev.rpcrdma.bench;

import dev.rpcrdma.bench.rpc.RpcBench;
import dev.rpcrdma.bench.rpc.RpcBenchPeer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Calls over siw beside a NetSocket and a raw stream, all in one run. */
@Command(name = "rpc", mixinStandardHelpOptions = true,
    description = "128-byte calls and 1 MiB puts and gets over siw, in turn with a Vert.x NetSocket "
        + "echo and a raw SocketChannel stream. Two JVMs on loopback.")
final class RpcCommand implements Callable<Integer> {

  @Mixin
  private RunOptions options;

  private double[] call;
  private double[] socket;
  private double[] calls;
  private double[] raw;
  private double[] put;
  private double[] get;

  @Override
  public Integer call() throws Exception {
    try (PeerProcess peer = PeerProcess.start(RpcBenchPeer.class);
        RpcBench bench = new RpcBench(peer.port(0))) {
      Baselines baselines = new Baselines(bench.vertx(), peer.port(1), peer.port(2));
      measure(bench, baselines, 1, options.warmUp / 6.0);
      measure(bench, baselines, options.repetitions, options.seconds);
    }
    options.publish(report());
    return 0;
  }

  private void measure(RpcBench bench, Baselines baselines, int times, double time)
      throws IOException {
    call = new double[times];
    socket = new double[times];
    calls = new double[times];
    raw = new double[times];
    put = new double[times];
    get = new double[times];
    for (int i = 0; i < times; i++) {
      socket[i] = baselines.echo(time).p50Micros();
      call[i] = bench.callMicros(time);
      calls[i] = bench.callsPerSecond(time);
      raw[i] = baselines.rawRate(time);
      put[i] = bench.putRate(time);
      get[i] = bench.getRate(time);
    }
  }

  private Report report() {
    Report report = options.report("rpc");
    report.add(new Figure("netsocket_echo_128_p50", "us", socket));
    report.add(new Figure("echo_128_p50", "us", call));
    report.add(Figure.ratio("echo_128_p50_ratio_netsocket", call, socket));
    report.add(new Figure("calls_64_outstanding", "1/s", calls));
    report.add(new Figure("raw_stream_1m", "MB/s", raw));
    report.add(new Figure("put_1m", "MB/s", put));
    report.add(Figure.ratio("put_1m_ratio_raw", put, raw));
    report.add(new Figure("get_1m", "MB/s", get));
    report.add(Figure.ratio("get_1m_ratio_raw", get, raw));
    return report;
  }
}
