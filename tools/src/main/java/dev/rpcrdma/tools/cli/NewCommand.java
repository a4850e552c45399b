// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a project to begin with: the one that the README shows, and that each build builds and runs. */
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = "Write a small project to begin with: an interface, and a program that serves it and calls it over "
        + "RDMA.")
final class NewCommand implements Callable<Integer> {

  private static final List<String> FILES =
      List.of("pom.xml", "src/main/java/hello/Greeter.java", "src/main/java/hello/Main.java");

  @Parameters(index = "0", paramLabel = "DIR", description = "Where to: a folder that is empty, or is not there yet.")
  private Path folder;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    requireEmpty();
    try (WrittenFiles written = new WrittenFiles(folder)) {
      for (String file : FILES) {
        try (InputStream source = NewCommand.class.getResourceAsStream("hello/" + file)) {
          written.write(file, source);
        }
      }
      written.keep();
    }
    PrintWriter out = Printable.out(spec);
    out.println("Written to " + folder + ": " + String.join(", ", FILES));
    out.println();
    out.println("  cd " + quoted(folder.toString()));
    out.println("  mvn -q compile dependency:copy-dependencies");
    out.println("  java -cp 'target/classes:target/dependency/*' hello.Main");
    out.println();
    out.println("builds it and runs it. The library has to be in your Maven repository: in a copy of its project,");
    out.println("mvn -q install -DskipTests puts it there.");
    return 0;
  }

  /** Returns a word that a shell takes for the text, and {@code cd} for no option. */
  private static String quoted(String text) {
    String path = text.startsWith("-") ? "./" + text : text;
    return path.matches("[\\w./+:@%,-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }

  private void requireEmpty() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new FileAlreadyExistsException(folder + " is there, and no folder");
    }
    try (Stream<Path> present = Files.list(folder)) {
      if (present.findAny().isPresent()) {
        throw new DirectoryNotEmptyException(folder + " is not empty");
      }
    }
  }
}
