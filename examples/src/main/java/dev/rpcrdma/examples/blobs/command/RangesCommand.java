// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.blobs.command;

import dev.rpcrdma.examples.blobs.DemoListener;
import dev.rpcrdma.examples.blobs.LargeFileDemo;
import dev.rpcrdma.examples.blobs.LargeFileReport;
import dev.rpcrdma.examples.blobs.command.LoopbackDemo.Outcome;
import dev.rpcrdma.tools.command.FabricOptions;
import dev.rpcrdma.tools.command.JsonSwitch;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.Table;
import dev.rpcrdma.tools.command.Within;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads a file over RDMA that is larger than the memory for it. */
@Command(
    name = "ranges",
    mixinStandardHelpOptions = true,
    description = "Read a file over RDMA that is larger than the memory for it: by ranges, and by its data and "
        + "holes alone, and compare SHA-256 digests. The file is made for it, mostly of holes. Server and client are "
        + "two verticles of this process; they talk over loopback.")
public final class RangesCommand implements Callable<Integer> {

  private static final int MEBIBYTE = 1 << 20;

  @Within(from = 1, to = MEBIBYTE)
  @Option(names = "--size", defaultValue = "1024", paramLabel = "MIB",
      description = "The file's size in MiB; default ${DEFAULT-VALUE}.")
  private long size;

  @Within(from = 1, to = MEBIBYTE)
  @Option(names = "--memory", defaultValue = "64", paramLabel = "MIB",
      description = "Most memory for what is transferred, of both ends together; default ${DEFAULT-VALUE}.")
  private long memory;

  @Mixin
  private JsonSwitch json;

  @Mixin
  private FabricOptions fabric;

  @Spec
  private CommandSpec spec;

  /** For picocli. */
  public RangesCommand() {}

  @Override
  public Integer call() throws Exception {
    Outcome<LargeFileReport> outcome = ProgressBar.during(json.asked(), this::run);
    LargeFileReport report = outcome.result();
    PrintWriter out = Printable.out(spec);
    if (json.asked()) {
      JsonObject facts = report.toJson().put("memory", memory * MEBIBYTE);
      outcome.rate().ifPresent(rate -> facts.put("transfer", rate.toJson()));
      json.print(facts);
    } else {
      print(outcome, new Table(out));
    }
    out.flush();
    if (!report.equal()) {
      throw new IOException("What was read has another digest than the file");
    }
    return 0;
  }

  private Outcome<LargeFileReport> run(DemoListener listener) throws Exception {
    return LoopbackDemo.run(fabric.host(), fabric.server().setMaxPoolBytes(memory * MEBIBYTE),
        fabric.client().setMaxPoolBytes(memory * MEBIBYTE), (vertx, folder, store, channel) -> {
          Path file = folder.resolve("large");
          Future<Void> offered = vertx.executeBlocking(() -> {
            LargeFileDemo.offer(store, file, size * MEBIBYTE);
            return null;
          });
          return offered.compose(ready -> new LargeFileDemo(vertx, channel, listener).run());
        });
  }

  private void print(Outcome<LargeFileReport> outcome, Table table) {
    LargeFileReport report = outcome.result();
    table.row("bytes", report.bytes());
    table.row("memory, at most", memory * MEBIBYTE);
    outcome.printRate(table);
    table.rate("MB/s by ranges", report.megabytesPerSecond(report.rangesNanos()), "with files and digests");
    table.row("sparse reads", report.sparseCalls());
    table.row("data and holes", report.extents());
    table.row("bytes of data", report.data());
    table.row("replies pulled", report.pulledReplies());
    table.rate("MB/s sparse", report.megabytesPerSecond(report.sparseNanos()), "with files, digests and holes");
    if (report.equal()) {
      table.line("both digests equal");
    }
  }
}
