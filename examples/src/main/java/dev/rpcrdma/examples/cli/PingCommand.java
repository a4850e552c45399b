package dev.rpcrdma.examples.cli;

import dev.rpcrdma.api.CallOptions;
import dev.rpcrdma.api.ConnectionSnapshot;
import dev.rpcrdma.api.RpcChannel;
import dev.rpcrdma.api.RpcClient;
import dev.rpcrdma.api.RpcConnection;
import dev.rpcrdma.api.RpcRequest;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Calls the NULL procedure of any RPC-over-RDMA service. */
@Command(
    name = "ping",
    description = "Call the NULL procedure of a program over RDMA, and print what was agreed for the "
        + "connection and how long each call took. For a Linux NFS server: ping HOST:20049 "
        + "--program 100003 --version 3.")
final class PingCommand implements Callable<Integer> {

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Parameters(index = "0", paramLabel = "HOST:PORT", converter = HostPort.class,
      description = "Where the service listens.")
  private SocketAddress address;

  @Option(names = "--program", required = true, converter = Unsigned.class,
      description = "The program's number, such as 100003 or 0x20060001.")
  private int program;

  @Option(names = "--version", defaultValue = "1", converter = Unsigned.class,
      description = "The program's version; default ${DEFAULT-VALUE}.")
  private int version;

  @Option(names = "--count", defaultValue = "5",
      description = "How many calls; default ${DEFAULT-VALUE}.")
  private int count;

  @Option(names = "--timeout", defaultValue = "5", paramLabel = "SECONDS",
      description = "How long connecting, and each call, may take; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin
  private FabricOptions fabric;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Duration timeout = Duration.ofSeconds(seconds);
    Vertx vertx = Vertx.vertx();
    try {
      RpcClient client = RpcClient.builder(vertx)
          .with(fabric.client().setConnectTimeout(timeout)).build();
      RpcChannel channel = client.channel(address);
      RpcConnection connection = Futures.await(channel.connect());
      RpcRequest<Void> request = RpcRequest.to(program, version, 0)
          .options(CallOptions.DEFAULT.withTimeout(timeout)).build();
      long[] nanos = new long[count];
      for (int i = 0; i < count; i++) {
        long start = System.nanoTime();
        Futures.await(channel.call(request));
        nanos[i] = System.nanoTime() - start;
      }
      print(Futures.await(connection.snapshot()), nanos);
      Futures.await(client.close());
    } finally {
      Futures.await(vertx.close());
    }
    return 0;
  }

  private void print(ConnectionSnapshot agreed, long[] nanos) {
    PrintWriter out = spec.commandLine().getOut();
    row(out, "service", address.toString());
    row(out, "inline, to it", agreed.outboundInline() + " bytes");
    row(out, "inline, from it", agreed.inboundInline() + " bytes");
    row(out, "credits granted", String.valueOf(agreed.creditsGranted()));
    row(out, "RDMA Reads (ORD)", String.valueOf(agreed.outboundReads()));
    row(out, "remote invalidation", agreed.remoteInvalidation() ? "yes" : "no");
    for (int i = 0; i < nanos.length; i++) {
      row(out, "NULL " + (i + 1), micros(nanos[i]));
    }
    if (nanos.length > 0) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      row(out, "least, median, most", micros(sorted[0]) + ", "
          + micros(sorted[(sorted.length - 1) / 2]) + ", " + micros(sorted[sorted.length - 1]));
    }
    out.flush();
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%,.0f us", nanos / 1000.0);
  }

  private static void row(PrintWriter out, String name, String value) {
    out.printf(Locale.ROOT, "%-21s %s%n", name, value);
  }
}
