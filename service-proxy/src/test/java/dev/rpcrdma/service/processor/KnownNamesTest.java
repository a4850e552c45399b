// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import com.palantir.javapoet.ClassName;
import dev.rpcrdma.service.Failures;
import dev.rpcrdma.service.RpcProgram;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The processor knows annotations and classes by their names alone: here these are held against what they mean. */
class KnownNamesTest {

  /** Fails if {@link AnnotationNames#ALL} lacks one, or has one that is spelled otherwise. */
  @Test
  @DisplayName("The processor knows each annotation of interfaces, and no other")
  void annotations() throws Exception {
    assertThat(AnnotationNames.ALL).isEqualTo(annotationsBeside(RpcProgram.class));
  }

  /** Fails if {@link FailureForm} lacks a constant or has one more. */
  @Test
  @DisplayName("The processor knows each way in which failures cross")
  void failures() {
    assertThat(FailureForm.values()).extracting(Enum::name)
        .containsExactlyElementsOf(Arrays.stream(Failures.values()).map(Enum::name).toList());
  }

  /** Fails if a constant of {@link ClassNames} names a class that is not there. */
  @Test
  @DisplayName("Each class that generated code names is there")
  void classes() throws Exception {
    for (Field field : ClassNames.class.getDeclaredFields()) {
      ClassName name = (ClassName) field.get(null);
      assertThat(Class.forName(name.reflectionName())).as(field.getName()).isPublic();
    }
  }

  private static Set<String> annotationsBeside(Class<?> type) throws IOException, URISyntaxException {
    Path folder = Path.of(type.getResource(type.getSimpleName() + ".class").toURI()).getParent();
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".class"))
          .map(file -> load(type.getPackageName() + "." + file.replace(".class", "")))
          .filter(Class::isAnnotation).map(Class::getName).collect(Collectors.toSet());
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, KnownNamesTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
