// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;

/** A type of the application that has a pair of methods of its own in the program's codecs. */
abstract class CodedType implements WireType {

  private final TypeElement element;
  private final TypeName javaType;
  private final ClassName codecs;
  private final String codecName;
  private boolean recursive;

  /**
   * Creates a type.
   *
   * @param element its declaration
   * @param javaType the type
   * @param codecs the class that gets methods for it
   * @param codecName its name in their names
   */
  CodedType(TypeElement element, TypeName javaType, ClassName codecs, String codecName) {
    this.element = element;
    this.javaType = javaType;
    this.codecs = codecs;
    this.codecName = codecName;
  }

  /** Statements that write the value of a variable. */
  abstract CodeBlock writeBody(Scope names, String variable);

  /** Statements that read a value and return it. */
  abstract CodeBlock readBody(Scope names);

  /** The types of which a value contains another, without a list or an optional between. */
  abstract Stream<CodedType> contained();

  /** Its definition in the XDR language. */
  abstract String definition(XdrText text, String name);

  /** Notes that a value can hold another of this type. */
  void recursive() {
    this.recursive = true;
  }

  boolean isRecursive() {
    return recursive;
  }

  TypeElement element() {
    return element;
  }

  String codecName() {
    return codecName;
  }

  @Override
  public TypeName javaType() {
    return javaType;
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return CodeBlock.of("$T.write$L($L, $L.present($L, $S))", codecs, codecName, names.writer(),
        names.writer(), value, what);
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$T.read$L($L)", codecs, codecName, names.reader());
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return specifier(text) + " " + identifier;
  }

  @Override
  public String specifier(XdrText text) {
    String name = xdrName(text);
    text.define(name, () -> definition(text, name));
    return name;
  }

  @Override
  public String xdrName(XdrText text) {
    return text.typeName(this, XdrNames.type(element.getSimpleName().toString()));
  }
}
