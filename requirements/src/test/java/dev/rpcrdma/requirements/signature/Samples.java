// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.objectweb.asm.tree.ClassNode;

/** Small types that are compiled from their text. */
final class Samples {

  private Samples() {}

  /** The signatures of one file of package {@code s}, named by its first type, written and read again. */
  static SortedMap<String, TypeText> of(Path folder, String source) throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    StringWriter said = new StringWriter();
    String name = source.replaceAll("(?s).*?\\b(?:class|interface|enum|record) (\\w+).*", "$1");
    JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///s/" + name + ".java"),
        JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignored) {
        return "package s; " + source;
      }
    };
    assertThat(ToolProvider.getSystemJavaCompiler().getTask(said, null, null,
        List.of("--release", "17", "-d", classes.toString()), null, List.of(file)).call()).as("%s", said).isTrue();
    List<ClassNode> nodes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path each : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        nodes.add(ModuleClasses.parse(Files.readAllBytes(each)));
      }
    }
    return ApiFile.read(ApiFile.write(new Signatures(Set.of("s"), nodes).types()));
  }
}
