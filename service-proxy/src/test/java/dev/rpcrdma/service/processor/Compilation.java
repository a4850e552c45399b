// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * What a compiler with the processor makes of some sources, in memory and with all warnings.
 *
 * @param success whether it compiled
 * @param problems errors and warnings
 * @param notes what is neither
 * @param generated what was generated, by class name
 */
record Compilation(boolean success, List<Diagnostic<? extends JavaFileObject>> problems,
    List<Diagnostic<? extends JavaFileObject>> notes, Map<String, String> generated) {

  /** Compiles sources, given as class name and text. */
  static Compilation of(Map<String, String> sources, Processor... others) {
    return of("-Xlint:all,-path", sources, Map.of(), others);
  }

  /** Compiles sources beside resources; none of our processors claims the annotations of services. */
  static Compilation ofServices(Map<String, String> sources, Map<String, String> resources, Processor... others) {
    return of("-Xlint:all,-path,-processing", sources, resources, others);
  }

  /** Compiles sources that may use classes of a folder. */
  static Compilation beside(Path classes, Map<String, String> sources) {
    return of("-Xlint:all,-path", sources, Map.of(), List.of(new RpcProgramProcessor()),
        classes + File.pathSeparator + System.getProperty("java.class.path"));
  }

  /** Compiles sources as build tools do that wrap what the compiler gives to processors. */
  static Compilation wrapped(Map<String, String> sources) {
    return of("-Xlint:all,-path", sources, Map.of(), List.of(new WrappedProcessor(new RpcProgramProcessor())));
  }

  /** Compiles sources of a module into a folder, in which a part of it may be. */
  static Compilation ofModule(Path output, Map<String, String> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
    String modules = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> !path.endsWith("test-classes")).collect(Collectors.joining(File.pathSeparator));
    try (StandardJavaFileManager files = compiler.getStandardFileManager(collector, null, StandardCharsets.UTF_8)) {
      JavaCompiler.CompilationTask task = compiler.getTask(null, files, collector,
          List.of("--release", "17", "-d", output.toString(), "--module-path", modules), null, sources(sources));
      task.setProcessors(List.of(new RpcProgramProcessor()));
      boolean success = task.call();
      return new Compilation(success, List.copyOf(collector.getDiagnostics()), List.of(), Map.of());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Source> sources(Map<String, String> sources) {
    return sources.entrySet().stream().map(e -> new Source(e.getKey(), e.getValue())).toList();
  }

  private static Compilation of(String lint, Map<String, String> sources, Map<String, String> resources,
      Processor... others) {
    List<Processor> processors = new ArrayList<>(List.of(others));
    processors.add(new RpcProgramProcessor());
    processors.add(new ProxyGenProcessor());
    return of(lint, sources, resources, processors);
  }

  private static Compilation of(String lint, Map<String, String> sources, Map<String, String> resources,
      List<Processor> processors) {
    return of(lint, sources, resources, processors, System.getProperty("java.class.path"));
  }

  private static Compilation of(String lint, Map<String, String> sources, Map<String, String> resources,
      List<Processor> processors, String classPath) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
    try (Memory memory = new Memory(
        compiler.getStandardFileManager(collector, null, StandardCharsets.UTF_8), resources)) {
      JavaCompiler.CompilationTask task = compiler.getTask(null, memory, collector,
          // path: the class path of the tests names files that need not exist.
          List.of("--release", "17", lint, "-Werror", "-classpath", classPath),
          null, sources(sources));
      task.setProcessors(processors);
      boolean success = task.call();
      Map<String, String> generated = new TreeMap<>();
      memory.sources.forEach((name, file) -> generated.put(name, file.text()));
      Map<Boolean, List<Diagnostic<? extends JavaFileObject>>> said =
          collector.getDiagnostics().stream().collect(
              Collectors.partitioningBy(each -> each.getKind() == Diagnostic.Kind.NOTE));
      return new Compilation(success, said.get(false), said.get(true), generated);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All problems as text. */
  String messages() {
    return String.join("\n", problems.stream().map(Object::toString).toList());
  }

  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Resource extends SimpleJavaFileObject {

    private final String text;

    Resource(String name, String text) {
      super(URI.create("memory:///" + name), Kind.OTHER);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Output extends SimpleJavaFileObject {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Output(String name, Kind kind) {
      super(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind);
    }

    @Override
    public OutputStream openOutputStream() {
      return bytes;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text();
    }

    String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

    private final Map<String, Output> sources = new TreeMap<>();
    private final Map<String, String> resources;

    Memory(JavaFileManager files, Map<String, String> resources) {
      super(files);
      this.resources = resources;
    }

    @Override
    public FileObject getFileForInput(Location location, String packageName, String name) throws IOException {
      return location == StandardLocation.CLASS_OUTPUT && resources.containsKey(name)
          ? new Resource(name, resources.get(name)) : super.getFileForInput(location, packageName, name);
    }

    /** As the compiler asks for resources: none is there that would be written. */
    @Override
    public FileObject getFileForOutput(Location location, String packageName, String name, FileObject sibling)
        throws IOException {
      return resources.containsKey(name) ? new Resource(name, resources.get(name))
          : super.getFileForOutput(location, packageName, name, sibling);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(Location location, String className,
        JavaFileObject.Kind kind, FileObject sibling) {
      Output output = new Output(className, kind);
      if (kind == JavaFileObject.Kind.SOURCE) {
        sources.put(className, output);
      }
      return output;
    }
  }
}
