// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;

/** A sealed interface of records: a discriminated union. It gets its arms after it was made, as they may hold it. */
final class UnionType extends CodedType {

  /**
   * One of the records.
   *
   * @param discriminant its case
   * @param record the record
   * @param struct how it crosses; empty if it has no components
   */
  record Arm(int discriminant, ClassName record, Optional<CodedType> struct) {

    long most() {
      return struct.map(WireType::most).orElse(0L);
    }

    int least() {
      return struct.map(WireType::least).orElse(0);
    }
  }

  private List<Arm> arms = List.of();
  private boolean measuring;

  /**
   * Creates a union without arms.
   *
   * @param element the interface
   * @param codecs the class that gets methods for it
   * @param codecName its name in their names
   */
  UnionType(TypeElement element, ClassName codecs, String codecName) {
    super(element, ClassName.get(element), codecs, codecName);
  }

  void arms(List<Arm> value) {
    this.arms = List.copyOf(value);
  }

  @Override
  public int least() {
    return 4 + arms.stream().mapToInt(Arm::least).min().orElseThrow();
  }

  @Override
  public long most() {
    if (measuring) {
      return UNBOUNDED;
    }
    measuring = true;
    boolean unbounded = arms.stream().anyMatch(arm -> arm.most() == UNBOUNDED);
    long most = unbounded ? UNBOUNDED : 4 + arms.stream().mapToLong(Arm::most).max().orElseThrow();
    measuring = false;
    return most;
  }

  @Override
  CodeBlock writeBody(Scope names, String variable) {
    CodeBlock.Builder body = CodeBlock.builder();
    String otherwise = "";
    for (Arm arm : arms) {
      String cast = names.fresh("arm");
      body.add(otherwise).add("if ($L instanceof $T $L) {$>\n", variable, arm.record(), cast)
          .addStatement("$L.int32($L)", names.writer(), arm.discriminant());
      arm.struct().ifPresent(struct -> body.addStatement(struct.write(names, CodeBlock.of("$L", cast),
          element().getSimpleName().toString())));
      body.add("$<}");
      otherwise = " else ";
    }
    // Only where the interface was compiled again, with another record, and the codecs were not.
    return body.add(" else {$>\n")
        .addStatement("throw new $T($L.getClass().getName() + $S)", IllegalArgumentException.class, variable,
            " has no case in " + element().getSimpleName())
        .add("$<}\n").build();
  }

  @Override
  CodeBlock readBody(Scope names) {
    String kind = names.fresh("kind");
    CodeBlock.Builder body = CodeBlock.builder().addStatement("int $L = $L.int32()", kind, names.reader())
        .add("switch ($L) {$>\n", kind);
    for (Arm arm : arms) {
      body.add("case $L:\n$>return $L;\n$<", arm.discriminant(), arm.struct()
          .map(struct -> struct.read(names)).orElse(CodeBlock.of("new $T()", arm.record())));
    }
    return body.add("default:\n$>throw $L.unknown($L, $S);\n$<$<}\n", names.reader(), kind,
        element().getSimpleName().toString()).build();
  }

  @Override
  Stream<CodedType> contained() {
    return arms.stream().flatMap(arm -> arm.struct().stream());
  }

  @Override
  String definition(XdrText text, String name) {
    StringBuilder lines = new StringBuilder("union " + name + " switch (int kind) {\n");
    Set<String> identifiers = new HashSet<>();
    for (Arm arm : arms) {
      String simple = arm.record().simpleName();
      String identifier = XdrNames.member(Character.toLowerCase(simple.charAt(0)) + simple.substring(1));
      String own = identifier;
      for (int i = 2; !identifiers.add(own); i++) {
        own = identifier + "_" + i;
      }
      String unique = own;
      lines.append("case ").append(arm.discriminant()).append(":\n  ")
          .append(arm.struct().map(struct -> struct.declaration(text, unique)).orElse("void")).append(";\n");
    }
    return lines + "};";
  }
}
