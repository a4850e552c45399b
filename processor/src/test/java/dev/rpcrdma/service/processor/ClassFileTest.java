// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** Class files say which annotations of types compilers hide, whatever compiler runs this. */
class ClassFileTest {

  /** Annotation of types alone. */
  @Target(ElementType.TYPE_USE)
  @interface Nullable {}

  /** Holder of an annotation of that simple name, of declarations and types. */
  static final class Both {

    private Both() {}

    /** Annotation of components, parameters, methods and types. */
    @Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.METHOD, ElementType.TYPE_USE})
    @interface Nullable {}
  }

  record Sample(String plain, @Nullable String outermost, List<@Nullable String> inside, @Both.Nullable String declared,
      List<@Both.Nullable String> insideOnly) {}

  interface Methods {

    String plain(String a);

    @Nullable String result();

    List<@Nullable String> inside();

    @Both.Nullable String declared(@Both.Nullable String a);

    void oneOfTwo(@Both.Nullable String a, @Nullable String b);
  }

  private static ClassFile of(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream(type.getName().replaceAll(".*\\.", "") + ".class")) {
      return ClassFile.of(new ClassReader(in));
    }
  }

  /** Fails if {@code hidden} ignores what is inside a type, or what declarations show. */
  @Test
  @DisplayName("Components hide annotations inside types, and those that are not of declarations, too")
  void components() throws IOException {
    ClassFile file = of(Sample.class);
    assertThat(List.of("plain", "outermost", "inside", "declared", "insideOnly")).filteredOn(file::hidesComponent)
        .containsExactly("outermost", "inside", "insideOnly");
  }

  /** Fails if {@code hidden} takes what one parameter shows for another one, or for the result. */
  @Test
  @DisplayName("Methods hide likewise, each parameter and result by itself")
  void methods() throws IOException {
    ClassFile file = of(Methods.class);
    assertThat(file.hidesIn("plain", 1)).isFalse();
    assertThat(file.hidesIn("result", 0)).isTrue();
    assertThat(file.hidesIn("inside", 0)).isTrue();
    assertThat(file.hidesIn("declared", 1)).isFalse();
    assertThat(file.hidesIn("oneOfTwo", 2)).isTrue();
  }
}
