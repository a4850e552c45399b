package dev.rpcrdma.examples.cli;

import dev.rpcrdma.api.RpcClientVerticle;
import dev.rpcrdma.api.RpcServerVerticle;
import dev.rpcrdma.examples.blobs.BlobDemo;
import dev.rpcrdma.examples.blobs.BlobStore;
import dev.rpcrdma.examples.blobs.DemoListener;
import dev.rpcrdma.examples.blobs.DemoReport;
import dev.rpcrdma.examples.blobs.DirectoryBlobStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stores a directory over RDMA and reads it back. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Store every file below a directory in a server over RDMA, have it report each by "
        + "a reverse call, list them, read them back, and compare SHA-256 digests. Server and "
        + "client are two verticles of this process; they talk over loopback.")
final class DemoCommand implements Callable<Integer> {

  @Parameters(index = "0", arity = "0..1", paramLabel = "DIRECTORY",
      description = "What to store; by default the lib folder of this JDK.")
  private Path directory = Path.of(System.getProperty("java.home"), "lib");

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Mixin
  private FabricOptions fabric;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (!Files.isDirectory(directory)) {
      throw new IOException("No such directory: " + directory);
    }
    ProgressBar bar = new ProgressBar(System.err);
    // The script knows whether standard error is a terminal; Java's own answer differs by version.
    boolean draw = !json && Boolean.getBoolean("rpcrdma.terminal");
    DemoReport report;
    try {
      report = run(draw ? bar : DemoListener.SILENT);
    } finally {
      bar.end();
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.toJson().encodePrettily());
    } else {
      print(report, out);
    }
    out.flush();
    if (!report.good()) {
      throw new IOException(report.equalDigests() + " of " + report.files()
          + " digests are equal, " + report.reverseCalls() + " blobs were reported");
    }
    return 0;
  }

  private DemoReport run(DemoListener listener) throws Exception {
    Path store = Files.createTempDirectory("rpcrdma-demo");
    Vertx vertx = Vertx.vertx();
    try {
      return Futures.await(demo(vertx, store, listener));
    } finally {
      Futures.await(vertx.close());
      delete(store);
    }
  }

  private Future<DemoReport> demo(Vertx vertx, Path store, DemoListener listener) {
    SocketAddress anyPort = SocketAddress.inetSocketAddress(0, "127.0.0.1");
    RpcServerVerticle server = new RpcServerVerticle(fabric.server(), anyPort,
        s -> s.bind(BlobStore.class, new DirectoryBlobStore(vertx, store)));
    AtomicReference<DemoReport> report = new AtomicReference<>();
    return vertx.deployVerticle(server).compose(deployed -> {
      SocketAddress address =
          SocketAddress.inetSocketAddress(server.server().actualPort(), "127.0.0.1");
      return vertx.deployVerticle(new RpcClientVerticle(fabric.client(), address,
          channel -> new BlobDemo(vertx, directory, listener).run(channel)
              .onSuccess(report::set)));
    }).map(deployed -> report.get());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  private void print(DemoReport report, PrintWriter out) {
    report.skipped().forEach(skipped -> out.println("skipped  " + skipped));
    row(out, "directory", report.directory());
    row(out, "files", number(report.files()));
    row(out, "bytes", number(report.bytes()));
    row(out, "skipped", number(report.skipped().size()));
    row(out, "messages inline", number(report.messages().sentInline()));
    row(out, "Read chunks", number(report.messages().readChunks()));
    row(out, "Write chunks", number(report.messages().writeChunks()));
    row(out, "Reply chunks", number(report.messages().replyChunks()));
    row(out, "Position-Zero chunks", number(report.messages().positionZeroChunks()));
    row(out, "reverse calls", number(report.reverseCalls()));
    row(out, "MB/s stored", rate(report.megabytesPerSecond(report.putNanos())));
    row(out, "MB/s read back", rate(report.megabytesPerSecond(report.getNanos())));
    if (report.good()) {
      out.println("all " + report.files() + " digests equal");
    }
  }

  private static void row(PrintWriter out, String name, String value) {
    out.printf(Locale.ROOT, "%-21s %s%n", name, value);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String rate(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
