// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.TypeElement;
import javax.tools.JavaFileManager;
import javax.tools.StandardLocation;

/**
 * Finds the {@link NumberList} of an interface: {@code META-INF/rpcrdma/<binary name>.numbers} among the resources,
 * which Maven has put beside the classes before it compiles, or in the directory that an option names.
 */
final class NumberLists {

  /** The option of the processor. */
  static final String DIRECTORY = "rpcrdma.numbers";

  private static final String FOLDER = "META-INF/rpcrdma/";
  private static final List<JavaFileManager.Location> PLACES =
      List.of(StandardLocation.CLASS_OUTPUT, StandardLocation.SOURCE_PATH, StandardLocation.CLASS_PATH);

  private final ProcessingEnvironment environment;

  NumberLists(ProcessingEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Finds a list.
   *
   * @param type the interface
   * @throws Refusal if there is one that cannot be read
   */
  Optional<NumberList> find(TypeElement type) {
    String name = environment.getElementUtils().getBinaryName(type) + ".numbers";
    try {
      return text(name).map(text -> NumberList.parse(FOLDER + name, text));
    } catch (IllegalArgumentException e) {
      throw Refusal.at(type, e.getMessage());
    }
  }

  private Optional<String> text(String name) {
    String directory = environment.getOptions().get(DIRECTORY);
    if (directory == null) {
      return PLACES.stream().flatMap(place -> resource(place, FOLDER + name).stream()).findFirst();
    }
    Path file = Path.of(directory, name);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> resource(JavaFileManager.Location place, String name) {
    try {
      return Optional.of(environment.getFiler().getResource(place, "", name).getCharContent(true).toString());
    } catch (IOException | IllegalArgumentException e) {
      // Not there: what is there and cannot be read is no case of its own to the compiler.
      return Optional.empty();
    }
  }
}
