// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds the ids in the names of the tests of one source file: in the {@code @DisplayName} of a method that
 * is a test. What is said elsewhere, in a comment, a body, or of a class, is a remark, which proves nothing:
 * whoever reads a report of failures sees names.
 */
final class TestSource {

  private static final Pattern LAB = Pattern.compile("^@WithLab\\b", Pattern.MULTILINE);

  /** Annotations that make a method a test. */
  private static final Set<String> TESTS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "FuzzTest", "Property", "TestFactory");

  private final String text;
  private final List<Mention> found = new ArrayList<>();
  private final boolean lab;
  private CompilationUnitTree unit;
  private SourcePositions positions;

  private TestSource(String text) {
    this.text = text;
    this.lab = LAB.matcher(text).find();
  }

  /** Reads a file's text; never compiles it. */
  static List<Mention> mentions(String text) {
    TestSource source = new TestSource(text);
    if (!Ids.in(text).isEmpty()) {
      source.parse();
    }
    return source.found;
  }

  private void parse() {
    JavaFileObject file = new SimpleJavaFileObject(URI.create("memory:///Source.java"),
        JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
    JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, null,
        List.of("-proc:none"), null, List.of(file));
    try {
      unit = task.parse().iterator().next();
    } catch (IOException e) {
      throw new IllegalStateException("Memory cannot fail", e);
    }
    positions = Trees.instance(task).getSourcePositions();
    unit.getTypeDecls().forEach(type -> add(type, ""));
  }

  private void add(Tree tree, String owner) {
    if (tree instanceof MethodTree method && isTest(method)) {
      for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
        if (annotation.getAnnotationType().toString().equals("DisplayName")) {
          String name = text.substring((int) positions.getStartPosition(unit, annotation),
              (int) positions.getEndPosition(unit, annotation));
          Ids.in(name).forEach(id -> found.add(new Mention(id, owner + method.getName(), lab)));
        }
      }
    } else if (tree instanceof ClassTree type) {
      type.getMembers().forEach(member -> add(member, owner + type.getSimpleName() + "."));
    }
  }

  private static boolean isTest(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(annotation -> TESTS.contains(annotation.getAnnotationType().toString()));
  }
}
