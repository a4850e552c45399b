// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Interfaces as compilers of Kotlin show them cross, or are refused in words that help. */
@Tag("slow")
class KotlinTypesTest {

  private static final String HEAD = "package p; import dev.rpcrdma.service.*; import io.vertx.core.Future;"
      + " import java.util.*; @RpcProgram(number = 1, version = 1) public interface X ";

  /** Fails if {@code Wildcards} is not asked at one of these places. */
  @Test
  @DisplayName("A type that is declared as ? extends X crosses as X")
  void covariant() {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD + """
        {
          sealed interface Shape {}
          @XdrCase(1) record Dot(int x) implements Shape {}
          record Page<T>(T first, List<? extends T> more) {}
          record Box(int a, List<? extends Shape> shapes) { Box(int a) { this(a, List.of()); } }
          @RpcProcedure(1) Future<List<? extends Shape>> list(List<? extends Shape> a, Optional<? extends Shape> b,
              Map<? extends Integer, ? extends List<? extends Shape>> c, Set<? extends Shape> d,
              SortedSet<? extends String> e, SortedMap<? extends String, ? extends Shape> f);
          @RpcProcedure(2) Future<? extends Page<? extends Shape>> page(Page<? extends Shape> a, Page<Shape> b);
          @RpcProcedure(3) Future<Box> box(Collection<? extends Page<? extends String>> a);
        }
        """));
    assertThat(compilation.problems()).as(compilation.messages()).isEmpty();
    assertThat(compilation.generated().get("p.XRpcBinding")).contains("Shape a<>", "Shape value<>");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "List<? super String>|? super java.lang.String cannot cross: write java.lang.String",
      "List<?>|? cannot cross: say what is in it"})
  @DisplayName("Other wildcards are refused, with what to write instead")
  void otherWildcards(String type, String message) {
    Compilation compilation = Compilation.of(Map.of("p.X", HEAD + "{ @RpcProcedure(1) Future<Void> f(" + type
        + " a); }"));
    assertThat(compilation.problems()).as(compilation.messages()).hasSize(1);
    assertThat(compilation.messages()).contains(message);
  }

  /** Fails if the names of methods are taken as they are: those of methods with a UInt have a hyphen. */
  @Test
  @DisplayName("A method whose name Java cannot write is refused, and its types are the reason that is given")
  void mangled(@TempDir Path classes) throws IOException {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT, "p/Base", null,
        "java/lang/Object", null);
    MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "count-WZ4Q5Ns",
        "(I)Lio/vertx/core/Future;", "(I)Lio/vertx/core/Future<Ljava/lang/Void;>;", null);
    AnnotationVisitor number = method.visitAnnotation("Ldev/rpcrdma/service/RpcProcedure;", true);
    number.visit("value", 1);
    number.visitEnd();
    method.visitEnd();
    writer.visitEnd();
    Files.createDirectory(classes.resolve("p"));
    Files.write(classes.resolve("p/Base.class"), writer.toByteArray());
    Compilation compilation = Compilation.beside(classes, Map.of("p.X", HEAD + "extends Base {}"));
    assertThat(compilation.problems()).as(compilation.messages()).hasSize(1);
    assertThat(compilation.messages()).contains("p.Base.count-WZ4Q5Ns(int): ", "is no name in Java",
        "Int or Long instead of UInt");
  }
}
