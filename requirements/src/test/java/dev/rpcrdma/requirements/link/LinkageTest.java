// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found missing, on classes that are made for it. */
class LinkageTest {

  private static final String CORE = "package io.vertx.core; public interface Core {"
      + " String FIELD = \"1\".trim(); void kept(int a); default long kept() { return 1; }"
      + " static Core of() { return a -> { }; } }";
  private static final String USER = "package user; import io.vertx.core.Core; public class User implements Core {"
      + " public void kept(int a) { } public Object all(Core core) { core.kept(1); core.kept(); Core.of().hashCode();"
      + " Core lambda = each -> { }; return FIELD; } }";

  @TempDir
  private Path folder;

  private Path compile(String name, Map<String, String> sources, Path... classPath) throws IOException {
    Path target = Files.createDirectories(folder.resolve(name));
    List<String> arguments = new ArrayList<>(List.of("-d", target.toString(), "-cp",
        String.join(System.getProperty("path.separator"), List.of(classPath).stream().map(Path::toString).toList())));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = Files.createDirectories(folder.resolve(name + "-src")).resolve(source.getKey() + ".java");
      Files.write(file, source.getValue().getBytes(StandardCharsets.UTF_8));
      arguments.add(file.toString());
    }
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new))).isZero();
    return target;
  }

  /** What the user, compiled with the class above, misses with another one. */
  private Map<String, Set<String>> missing(String core) throws IOException {
    Path user = compile("user", Map.of("User", USER), compile("old", Map.of("Core", CORE)));
    Path other = compile("new", Map.of("Core", core));
    return new Linkage(new ClassFiles().folder(user), new ClassFiles().folder(user).folder(other)).missing();
  }

  @Test
  @DisplayName("Nothing is missing in what a class was compiled with")
  void same() throws IOException {
    assertThat(missing(CORE)).isEmpty();
  }

  @Test
  @DisplayName("A class, a field, a method and a signature that are gone are named, with who needs them")
  void gone() throws IOException {
    assertThat(missing("package io.vertx.core; interface Other { }")).containsKey("io.vertx.core.Core");
    assertThat(missing(CORE.replace("String FIELD", "Object FIELD"))).containsOnlyKeys(
        "user.User.FIELD:Ljava/lang/String;").containsValue(Set.of("user.User"));
    assertThat(missing(CORE.replace("long kept() { return 1", "int kept() { return 1")))
        .containsOnlyKeys("io.vertx.core.Core.kept()J");
    assertThat(missing(CORE.replace("static Core of()", "static Core other()")))
        .containsOnlyKeys("io.vertx.core.Core.of()Lio/vertx/core/Core;");
  }

  @Test
  @DisplayName("A method that a class would have to have, and a lambda whose interface has another method")
  void unimplemented() throws IOException {
    assertThat(missing(CORE.replace("a -> { }", "null").replace("void kept(int a);", "void kept(int a); void more();")))
        .containsOnlyKeys("code for io.vertx.core.Core.more()V");
    assertThat(missing(CORE.replace("void kept(int a);", "void renamed(int a);")))
        .containsKeys("io.vertx.core.Core.kept(I)V", "code for io.vertx.core.Core.renamed(I)V");
  }

  @Test
  @DisplayName("What a companion of Vert.x has is asked for where the companion is there")
  void companions() throws IOException {
    String companion = "package io.vertx.ext.x; public class X { public static void x() { } }";
    Path old = compile("companion", Map.of("X", companion));
    Path user = compile("user", Map.of("User", "package user; class User { void u() { io.vertx.ext.x.X.x(); } }"), old);
    ClassFiles product = new ClassFiles().folder(user);
    assertThat(new Linkage(product, new ClassFiles().folder(user)).missing()).isEmpty();
    Path other = compile("other", Map.of("X", companion.replace("void x() { }", "int x() { return 1; }")));
    assertThat(new Linkage(product, new ClassFiles().folder(user).folder(other)).missing())
        .containsOnlyKeys("io.vertx.ext.x.X.x()V");
  }
}
