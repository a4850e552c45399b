// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.util.Map;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;

/** An enum whose constants have numbers of their own. */
final class NumberedEnumType extends CodedType {

  private final Map<String, Integer> numbers;

  /**
   * Creates a type.
   *
   * @param element the enum
   * @param numbers the numbers of its constants, in the order of the constants
   * @param codecs the class that gets methods for it
   * @param codecName its name in their names
   */
  NumberedEnumType(TypeElement element, Map<String, Integer> numbers, ClassName codecs, String codecName) {
    super(element, ClassName.get(element), codecs, codecName);
    this.numbers = numbers;
  }

  @Override
  public int least() {
    return 4;
  }

  @Override
  public long most() {
    return 4;
  }

  @Override
  CodeBlock writeBody(Scope names, String variable) {
    CodeBlock.Builder body = CodeBlock.builder().add("$L.int32(switch ($L) {$>\n", names.writer(), variable);
    numbers.forEach((constant, number) -> body.add("case $L -> $L;\n", constant, number));
    return body.add("$<});\n").build();
  }

  @Override
  CodeBlock readBody(Scope names) {
    String number = names.fresh("number");
    CodeBlock.Builder body = CodeBlock.builder().addStatement("int $L = $L.int32()", number, names.reader())
        .add("switch ($L) {$>\n", number);
    numbers.forEach((constant, value) ->
        body.add("case $L:\n$>return $T.$L;\n$<", value, javaType(), constant));
    return body.add("default:\n$>throw $L.unknown($L, $S);\n$<$<}\n", names.reader(), number,
        element().getSimpleName().toString()).build();
  }

  @Override
  Stream<CodedType> contained() {
    return Stream.empty();
  }

  @Override
  String definition(XdrText text, String name) {
    return text.enumeration(name, numbers);
  }
}
