// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples;

import dev.rpcrdma.examples.blobs.command.DemoCommand;
import dev.rpcrdma.examples.blobs.command.RangesCommand;
import dev.rpcrdma.examples.desk.command.DeskCommand;
import dev.rpcrdma.examples.nfs3.command.Nfs3Command;
import dev.rpcrdma.tools.command.CommandProvider;
import java.util.List;

/** The examples that are commands of {@code ./rpcrdma}. */
public final class ExampleCommands implements CommandProvider {

  /** For ServiceLoader. */
  public ExampleCommands() {}

  @Override
  public List<Class<?>> commands() {
    return List.of(DemoCommand.class, RangesCommand.class, DeskCommand.class, Nfs3Command.class);
  }
}
