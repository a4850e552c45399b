// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** Classes by their internal names: of folders, of jars, and of the JDK that runs. */
final class ClassFiles {

  private final Map<String, byte[]> files = new HashMap<>();
  private final Map<String, Optional<ClassNode>> parsed = new HashMap<>();

  /** Adds what a folder has beneath it. */
  ClassFiles folder(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
        add(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Adds what the jars of a folder have; what is for newer JDKs alone is passed over. */
  ClassFiles jars(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.filter(each -> each.toString().endsWith(".jar")).toList()) {
        jar(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  private void jar(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(entry.getName(), in.readAllBytes());
          }
        }
      }
    }
  }

  private void add(String file, byte[] bytes) {
    files.put(file.substring(0, file.length() - ".class".length()), bytes);
  }

  /** All but those of the JDK. */
  List<ClassNode> all() {
    return files.keySet().stream().sorted().map(name -> find(name).orElseThrow()).toList();
  }

  /** Whether there is a class in a package, such as io/vertx/core. */
  boolean hasPackage(String name) {
    return files.keySet().stream().anyMatch(file -> file.substring(0, Math.max(0, file.lastIndexOf('/'))).equals(name));
  }

  /** Whether there is a class, other than those of the JDK. */
  boolean has(String name) {
    return files.containsKey(name);
  }

  Optional<ClassNode> find(String name) {
    return parsed.computeIfAbsent(name, this::parse);
  }

  private Optional<ClassNode> parse(String name) {
    byte[] bytes = has(name) ? files.get(name) : ofJdk(name);
    if (bytes == null) {
      return Optional.empty();
    }
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, ClassReader.SKIP_DEBUG);
    return Optional.of(node);
  }

  private static byte[] ofJdk(String name) {
    try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
