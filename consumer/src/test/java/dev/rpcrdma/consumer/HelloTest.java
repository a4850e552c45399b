// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's project, which the build has compiled against installed artifacts, runs as the README says. */
@Tag("large")
class HelloTest {

  private static final Path PROJECTS = Path.of("target/it");
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @TempDir
  private Path folder;

  /** Fails if starter/pom.xml has no provider, or hello/pom.xml no processor. */
  @Test
  @DisplayName("Serves and calls on the class path")
  void classPath() throws Exception {
    Path target = target("hello");
    assertThat(run("-cp",
        target.resolve("classes") + File.pathSeparator + target.resolve("dependency") + "/*", "hello.Main"))
        .isEqualTo("Hello, RDMA!");
  }

  /**
   * In a Turkish locale {@code "I".toLowerCase()} is no {@code i}, and in Latin-1 most letters have no bytes.
   *
   * <p>Fails if a pool of the defaults takes more memory than there is, or a default needs two processors or IPv6.
   */
  @Test
  @DisplayName("Serves and calls on one processor, with a heap of 64 MiB, no IPv6, another locale and another charset")
  void corner() throws Exception {
    assertThat(run(corner(new ArrayList<>()))).isEqualTo("Hello, RDMA!");
  }

  /**
   * Vert.x makes a folder of its own where it starts, unless it is told to look for no file on the class path.
   *
   * <p>Fails if anything else is unpacked or written before a call, such as by a native library.
   */
  @Test
  @DisplayName("Serves and calls where no file can be written: in a container whose root file system is read-only")
  void readOnly() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "Only root can make a file system read-only");
    List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", "mount --bind / / &&"
        + " for each in $(cut -d' ' -f2 /proc/mounts | grep -v -E '^/(proc|sys|dev)(/|$)'); do"
        + " mount -o remount,bind,ro $each; done; ! touch /tmp/writable 2>/dev/null && exec \"$0\" \"$@\"",
        JDK.resolve("bin").resolve("java").toString(), "-Dvertx.disableFileCPResolving=true"));
    assertThat(start(ProcessBuilder.Redirect.INHERIT, corner(command))).isZero();
    assertThat(said()).isEqualTo("Hello, RDMA!");
  }

  /** Adds what a small container has to a command. */
  private static List<String> corner(List<String> command) {
    Path target = target("hello");
    command.addAll(List.of("-XX:ActiveProcessorCount=1", "-Xmx64m", "-Djava.net.preferIPv4Stack=true",
        "-Duser.language=tr", "-Duser.country=TR", "-Dfile.encoding=ISO-8859-1", "-Duser.timezone=Pacific/Chatham",
        "-cp", target.resolve("classes") + File.pathSeparator + target.resolve("dependency") + "/*", "hello.Main"));
    return command;
  }

  /** Fails if hello/Main.java has no System.exit. */
  @Test
  @DisplayName("Says what is wrong and ends with status 1 where there is no provider")
  void failure() throws Exception {
    Path target = target("hello");
    StringBuilder path = new StringBuilder(target.resolve("classes").toString());
    try (Stream<Path> jars = Files.list(target.resolve("dependency"))) {
      jars.filter(jar -> !jar.getFileName().toString().startsWith("vertx-rpcrdma-provider"))
          .forEach(jar -> path.append(File.pathSeparator).append(jar));
    }
    assertThat(end(JDK, ProcessBuilder.Redirect.to(folder.resolve("errors").toFile()), List.of("-cp",
        path.toString(), "hello.Main"))).isOne();
    assertThat(folder.resolve("errors")).content().contains("provider");
    assertThat(folder.resolve("said")).isEmptyFile();
  }

  /** Fails if the shade plugin's transformers in hello-fat-jar/pom.xml are not enough. */
  @Test
  @DisplayName("Serves and calls from one jar that has all others in it")
  void fatJar() throws Exception {
    assertThat(run("-jar", fatJarFile().toString())).isEqualTo("Hello, RDMA!");
  }

  /** Fails if {@code CurrentCall.check} is not asked. */
  @Test
  @DisplayName("Says which file is missing where a jar that has all others in it has lost our service of Vert.x")
  void unmergedFatJar() throws Exception {
    Path jar = Files.copy(fatJarFile(), folder.resolve("unmerged.jar"));
    try (FileSystem inside = FileSystems.newFileSystem(jar)) {
      Files.delete(inside.getPath("META-INF/services/io.vertx.core.spi.VertxServiceProvider"));
    }
    assertThat(end(JDK, ProcessBuilder.Redirect.to(folder.resolve("errors").toFile()),
        List.of("-jar", jar.toString()))).isOne();
    assertThat(folder.resolve("errors")).content()
        .contains("META-INF/services/io.vertx.core.spi.VertxServiceProvider");
  }

  private static Path fatJarFile() {
    return target("hello-fat-jar").resolve("hello-fat-jar-1.0.jar");
  }

  /** Fails if module-info.java of hello-modules does not export the package of the interface. */
  @Test
  @DisplayName("Serves and calls on the module path")
  void modulePath() throws Exception {
    assertThat(run("-p", modules(), "-m", "hello/hello.Main")).isEqualTo("Hello, RDMA!");
  }

  /** Fails if module-info.java of api lacks java.management: Netty would take the heap's size for direct memory's. */
  @Test
  @DisplayName("Serves and calls in an image by jlink, where the JVM tells how much direct memory it may have")
  void image() throws Exception {
    Path image = folder.resolve("image");
    assertThat(ToolProvider.findFirst("jlink").orElseThrow().run(System.out, System.err, "-p", modules(),
        "--add-modules", "hello,dev.rpcrdma.siw", "--output", image.toString())).isZero();
    assertThat(runIn(image, List.of("-m", "hello/hello.Main"))).isEqualTo("Hello, RDMA!");
    assertThat(runIn(image, List.of("--list-modules"))).contains("java.management@");
  }

  /** Fails if service-proxy/pom.xml lets a generator through, or starter/pom.xml lacks a module or has one more. */
  @Test
  @DisplayName("Brings six jars of ours, and none that generates code")
  void jars() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> jars = Files.list(target("hello").resolve("dependency"))) {
      jars.forEach(jar -> names.add(jar.getFileName().toString()));
    }
    assertThat(names).filteredOn(name -> name.startsWith("vertx-rpcrdma"))
        .extracting(name -> name.replaceAll("-\\d.*", ""))
        .containsExactlyInAnyOrder("vertx-rpcrdma", "vertx-rpcrdma-api", "vertx-rpcrdma-service-proxy",
            "vertx-rpcrdma-protocol", "vertx-rpcrdma-spi-verbs", "vertx-rpcrdma-provider-siw");
    assertThat(names).noneMatch(name -> name.contains("javapoet") || name.contains("processor")
        || name.startsWith("vertx-codegen-json"));
  }

  /** The module path of the application that is a module. */
  private static String modules() {
    Path target = target("hello-modules");
    return target.resolve("classes") + File.pathSeparator + target.resolve("dependency");
  }

  private static Path target(String project) {
    return PROJECTS.resolve(project).resolve("target").toAbsolutePath();
  }

  /** What a Java virtual machine says that ends well. */
  private String run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  private String run(List<String> arguments) throws IOException, InterruptedException {
    return runIn(JDK, arguments);
  }

  private String runIn(Path home, List<String> arguments) throws IOException, InterruptedException {
    assertThat(end(home, ProcessBuilder.Redirect.INHERIT, arguments)).isZero();
    return said();
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("said")).strip();
  }

  /** With which status a Java virtual machine ends. */
  private int end(Path home, ProcessBuilder.Redirect errors, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin").resolve("java").toString()));
    command.addAll(arguments);
    return start(errors, command);
  }

  private int start(ProcessBuilder.Redirect errors, List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectOutput(folder.resolve("said").toFile())
        .redirectError(errors).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }
}
