package dev.rpcrdma.requirements;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds the ids in one source file, and the tests that they belong to. All that stands between the end
 * of the member before and the end of a method is the method's: comment, annotations, body. What is in no
 * test is a remark, which proves nothing.
 */
final class TestSource {

  private static final Pattern LAB = Pattern.compile("^@WithLab\\b", Pattern.MULTILINE);

  /** Annotations that make a method a test. */
  private static final Set<String> TESTS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "FuzzTest", "Property", "TestFactory");

  private record Span(long from, long to, String name, boolean test) {}

  private final String text;
  private final List<Span> spans = new ArrayList<>();
  private CompilationUnitTree unit;
  private SourcePositions positions;

  private TestSource(String text) {
    this.text = text;
  }

  /** Reads a file's text; never compiles it. */
  static List<Mention> mentions(String text) {
    TestSource source = new TestSource(text);
    Matcher id = RequirementList.ID.matcher(text);
    List<Mention> found = new ArrayList<>();
    boolean lab = LAB.matcher(text).find();
    while (id.find()) {
      if (source.unit == null) {
        source.parse();
      }
      Span owner = source.owner(id.start());
      if (owner.test) {
        found.add(new Mention(id.group(), owner.name, lab));
      }
    }
    return found;
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
    long from = 0;
    for (Tree type : unit.getTypeDecls()) {
      add(type, from, "");
      from = positions.getEndPosition(unit, type);
    }
  }

  private void add(Tree tree, long from, String owner) {
    long end = positions.getEndPosition(unit, tree);
    if (tree instanceof MethodTree method) {
      spans.add(new Span(from, end, owner + method.getName(), isTest(method)));
    } else if (tree instanceof ClassTree type) {
      String name = owner + type.getSimpleName();
      spans.add(new Span(from, end, name, false));
      long previous = body(type);
      for (Tree member : type.getMembers()) {
        // Components of records are members too, and stand before the body.
        if (positions.getEndPosition(unit, member) > previous) {
          add(member, previous, name + ".");
          previous = positions.getEndPosition(unit, member);
        }
      }
    }
  }

  private static boolean isTest(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(annotation -> TESTS.contains(annotation.getAnnotationType().toString()));
  }

  /** Where the members begin: behind the first brace that no annotation has. */
  private long body(ClassTree type) {
    long from = Math.max(positions.getStartPosition(unit, type),
        positions.getEndPosition(unit, type.getModifiers()));
    return text.indexOf('{', (int) from);
  }

  /** The smallest span around an index; spans are added from the outside to the inside. */
  private Span owner(long index) {
    Span owner = new Span(0, 0, "(no class)", false);
    for (Span span : spans) {
      if (span.from <= index && index < span.to) {
        owner = span;
      }
    }
    return owner;
  }
}
