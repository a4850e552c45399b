// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.message;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The messages that sources make: of each construction of certain types, and of each call of certain methods, the texts
 * that its arguments are put together from. What is not constant in a text is {@code …}.
 */
final class SourceMessages {

  static final String VARIABLE = "…";

  private final Predicate<String> types;
  private final Set<String> methods;
  private final SortedMap<String, String> found = new TreeMap<>();

  /**
   * Looks for these.
   *
   * @param types simple names of what is constructed
   * @param methods what is called, as {@code Type.method}
   */
  SourceMessages(Predicate<String> types, Set<String> methods) {
    this.types = types;
    this.methods = methods;
  }

  /** Looks through all files below a folder. */
  SourceMessages below(Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        Stream<Path> sources = Files.walk(folder)) {
      List<Path> java = sources.filter(file -> file.toString().endsWith(".java")).sorted().toList();
      JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
          files.getJavaFileObjectsFromPaths(java));
      for (CompilationUnitTree unit : task.parse()) {
        String place = folder.getParent().relativize(Path.of(unit.getSourceFile().toUri())).toString();
        new Scanner(place).scan(unit, null);
      }
    }
    return this;
  }

  /** Each message, and a file that makes it. */
  SortedMap<String, String> found() {
    return found;
  }

  private final class Scanner extends TreeScanner<Void, Void> {

    private final String place;
    /** Texts of the file that have a name, by that. */
    private final Map<String, String> constants = new HashMap<>();

    private Scanner(String place) {
      this.place = place;
    }

    /** A constant is above what uses it. */
    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
      if (tree.getModifiers().getFlags().contains(Modifier.FINAL) && tree.getInitializer() != null) {
        constants.put(tree.getName().toString(), texts(tree.getInitializer()).get(0));
      }
      return super.visitVariable(tree, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
      if (types.test(tree.getIdentifier().toString())) {
        tree.getArguments().forEach(this::add);
      }
      return super.visitNewClass(tree, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
      if (methods.contains(tree.getMethodSelect().toString())) {
        tree.getArguments().forEach(this::add);
      }
      return super.visitMethodInvocation(tree, nothing);
    }

    private void add(ExpressionTree argument) {
      for (String text : texts(argument)) {
        String message = text.replaceAll(VARIABLE + "+", VARIABLE);
        // What has fewer words than two is a value.
        if (message.replace(VARIABLE, "").strip().contains(" ")) {
          found.putIfAbsent(message.strip(), place);
        }
      }
    }

    /** All texts that an expression may be. */
    private List<String> texts(Tree tree) {
      if (tree instanceof LiteralTree literal) {
        return List.of(literal.getValue() instanceof String text ? text.replace("\n", " ") : VARIABLE);
      } else if (tree instanceof IdentifierTree name) {
        return List.of(constants.getOrDefault(name.getName().toString(), VARIABLE));
      } else if (tree instanceof ParenthesizedTree inner) {
        return texts(inner.getExpression());
      } else if (tree instanceof ConditionalExpressionTree either) {
        List<String> all = new ArrayList<>(texts(either.getTrueExpression()));
        all.addAll(texts(either.getFalseExpression()));
        return all;
      } else if (tree instanceof SwitchExpressionTree many) {
        List<String> all = new ArrayList<>();
        many.getCases().forEach(each -> {
          if (each.getBody() instanceof ExpressionTree body) {
            all.addAll(texts(body));
          }
        });
        return all;
      } else if (tree instanceof BinaryTree sum && tree.getKind() == Tree.Kind.PLUS) {
        List<String> left = texts(sum.getLeftOperand());
        // A part in the middle that may be several things is one that varies.
        List<String> right = sum.getRightOperand() instanceof LiteralTree ? texts(sum.getRightOperand())
            : List.of(VARIABLE);
        return left.stream().map(text -> text + right.get(0)).toList();
      }
      return List.of(VARIABLE);
    }
  }
}
