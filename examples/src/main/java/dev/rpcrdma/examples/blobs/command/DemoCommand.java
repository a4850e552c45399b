// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import dev.rpcrdma.api.RpcClientOptions;
import dev.rpcrdma.api.RpcServerOptions;
import dev.rpcrdma.examples.blobs.BlobDemo;
import dev.rpcrdma.examples.blobs.DemoListener;
import dev.rpcrdma.examples.blobs.DemoReport;
import dev.rpcrdma.examples.blobs.command.LoopbackDemo.Outcome;
import dev.rpcrdma.examples.desk.keys.Identity;
import dev.rpcrdma.tools.command.FabricOptions;
import dev.rpcrdma.tools.command.JsonSwitch;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.Table;
import dev.rpcrdma.tools.command.TemporaryFolder;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
public final class DemoCommand implements Callable<Integer> {

  @Parameters(index = "0", arity = "0..1", paramLabel = "DIRECTORY",
      description = "What to store; by default the lib folder of this JDK.")
  private Path directory = Path.of(System.getProperty("java.home"), "lib");

  @Mixin
  private JsonSwitch json;

  @Option(names = "--tls",
      description = "Protect the connection by TLS, with certificates that are made for it; needs the provider siw.")
  private boolean tls;

  @Mixin
  private FabricOptions fabric;

  @Spec
  private CommandSpec spec;

  /** For picocli. */
  public DemoCommand() {}

  @Override
  public Integer call() throws Exception {
    if (!Files.isDirectory(directory)) {
      throw new IOException("No such directory: " + directory);
    }
    Outcome<DemoReport> outcome = ProgressBar.during(json.asked(), this::run);
    DemoReport report = outcome.result();
    PrintWriter out = Printable.out(spec);
    if (json.asked()) {
      JsonObject facts = report.toJson();
      outcome.rate().ifPresent(rate -> facts.put("transfer", rate.toJson()));
      json.print(facts);
    } else {
      print(outcome, new Table(out));
    }
    out.flush();
    if (!report.good()) {
      throw new IOException(report.equalDigests() + " of " + report.files()
          + " digests are equal, " + report.reverseCalls() + " blobs were reported");
    }
    return 0;
  }

  private Outcome<DemoReport> run(DemoListener listener) throws Exception {
    if (!tls) {
      return run(fabric.server(), fabric.client(), listener);
    }
    try (TemporaryFolder keys = new TemporaryFolder("rpcrdma-keys")) {
      Identity server = Identity.create(keys.path(), "server");
      Identity client = Identity.create(keys.path(), "client");
      return run(new RpcServerOptions(fabric.server().toJson().put("tls", server.serverTls("REQUIRED", client))),
          new RpcClientOptions(fabric.client().toJson().put("tls", client.clientTls(server))), listener);
    }
  }

  private Outcome<DemoReport> run(RpcServerOptions server, RpcClientOptions client, DemoListener listener)
      throws Exception {
    return LoopbackDemo.run(fabric.host(), server, client, (vertx, folder, store, channel) ->
        new BlobDemo(vertx, directory, listener).run(channel));
  }

  private void print(Outcome<DemoReport> outcome, Table table) {
    DemoReport report = outcome.result();
    report.skipped().forEach(skipped -> table.line("skipped  " + skipped));
    table.row("directory", report.directory());
    table.row("files", report.files());
    table.row("bytes", report.bytes());
    table.row("skipped", report.skipped().size());
    table.row("messages inline", report.messages().sentInline());
    table.row("Read chunks", report.messages().readChunks());
    table.row("Write chunks", report.messages().writeChunks());
    table.row("Reply chunks", report.messages().replyChunks());
    table.row("Position-Zero chunks", report.messages().positionZeroChunks());
    table.row("replies pulled", report.messages().pulledReplies());
    table.row("reverse calls", report.reverseCalls());
    outcome.printRate(table);
    if (report.bytes() > 0) {
      table.rate("MB/s stored", report.megabytesPerSecond(report.putNanos()), "with files and digests");
      table.rate("MB/s read back", report.megabytesPerSecond(report.getNanos()), "with files and digests");
    }
    if (report.good()) {
      table.line("all " + report.files() + " digests equal");
    }
  }
}
