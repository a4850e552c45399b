// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;

/** Which version this is, as the build has said it. */
final class Version implements IVersionProvider {

  /** Gives this version to commands that have none of their own. */
  static void giveToCommands(CommandLine line) {
    line.getSubcommands().values().stream().map(CommandLine::getCommandSpec)
        .filter(each -> each.versionProvider() == null && each.version().length == 0)
        .forEach(each -> each.versionProvider(new Version()));
  }

  @Override
  public String[] getVersion() throws IOException {
    Properties said = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
      said.load(file);
    }
    return new String[] {"vertx-rpcrdma " + said.getProperty("version"),
        "Java ${java.version} (${java.vm.name}), ${os.name} ${os.version} ${os.arch}"};
  }
}
