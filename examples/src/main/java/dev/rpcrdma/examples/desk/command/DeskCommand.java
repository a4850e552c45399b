// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk.command;

import dev.rpcrdma.examples.desk.keys.Identity;
import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.tools.command.RunningVertx;
import dev.rpcrdma.tools.command.Table;
import dev.rpcrdma.tools.command.TemporaryFolder;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Plays a day at a trading desk. */
@Command(
    name = "desk",
    mixinStandardHelpOptions = true,
    description = "Play a short day at a trading desk over RDMA with TLS, and print it: a trader with a certificate, "
        + "an auditor with a token, orders, fills that the desk reports by reverse calls, refusals, and a restart of "
        + "the desk. All of them are in this process; they talk over loopback.")
public final class DeskCommand implements Callable<Integer> {

  @Spec
  private CommandSpec spec;

  /** For picocli. */
  public DeskCommand() {}

  @Override
  public Integer call() throws Exception {
    PrintWriter out = Printable.out(spec);
    try (TemporaryFolder folder = new TemporaryFolder("rpcrdma-desk"); RunningVertx running = new RunningVertx(false)) {
      new DeskScript(running.vertx(), Identity.create(folder.path(), "desk"), Identity.create(folder.path(), "alice"),
          new Table(out)).play();
      out.flush();
      return 0;
    }
  }
}
