// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.mutants;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Loads the module protocol and that of the tests once more, with their simulations, and with the classes of a mutant
 * in place of those that it changes. Everything else comes from the parent.
 */
final class MutantLoader extends ClassLoader {

  private static final String PROJECT = "dev.rpcrdma.";
  private static final String ROOT = PROJECT + "protocol.";
  /** Module of the tests, and protocol, which may be the same one. */
  private static final List<Path> MODULES = List.of(Path.of(""), Path.of("../protocol"));

  private final Map<String, ByteArrayOutputStream> changed = new HashMap<>();

  MutantLoader(Mutant mutant) throws IOException {
    super(MutantLoader.class.getClassLoader());
    Map<String, String> sources = new HashMap<>();
    for (Mutant.Change change : mutant.changes()) {
      String type = change.type().startsWith(PROJECT) ? change.type() : ROOT + change.type();
      String source = sources.containsKey(type) ? sources.get(type) : source(type);
      int at = source.indexOf(change.from());
      if (at < 0 || source.indexOf(change.from(), at + 1) >= 0) {
        throw new IllegalStateException("Mutant '" + mutant + "' is out of date: " + type
            + " must hold this exactly once: " + change.from());
      }
      sources.put(type, source.replace(change.from(), change.to()));
    }
    compile(mutant, sources);
  }

  private static String source(String type) throws IOException {
    for (Path module : MODULES) {
      Path file = module.resolve("src/main/java/" + type.replace('.', '/') + ".java");
      if (Files.exists(file)) {
        return Files.readString(file);
      }
    }
    throw new IllegalStateException("There is no source of " + type);
  }

  private void compile(Mutant mutant, Map<String, String> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((type, source) -> units.add(new Source(type, source)));
    StringWriter problems = new StringWriter();
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        JavaFileManager files = new Collecting(standard)) {
      boolean compiled = compiler.getTask(problems, files, null,
          List.of("-proc:none", "-cp", classPath()), null, units)
          .call();
      if (!compiled) {
        throw new IllegalStateException("Mutant '" + mutant + "': " + problems);
      }
    }
  }

  private static String classPath() {
    return MODULES.stream().map(module -> module.resolve("target/classes").toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROJECT)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    ByteArrayOutputStream bytes = changed.get(name);
    if (bytes != null) {
      return defineClass(name, bytes.toByteArray(), 0, bytes.size());
    }
    try (InputStream original =
        getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (original == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] all = original.readAllBytes();
      return defineClass(name, all, 0, all.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** A source file that is in no file. */
  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String type, String text) {
      super(URI.create("string:///" + type.replace('.', '/') + Kind.SOURCE.extension),
          Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps what the compiler makes. */
  private final class Collecting extends ForwardingJavaFileManager<JavaFileManager> {

    Collecting(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(Location location, String type,
        JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      changed.put(type, bytes);
      return new SimpleJavaFileObject(URI.create("bytes:///" + type), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
