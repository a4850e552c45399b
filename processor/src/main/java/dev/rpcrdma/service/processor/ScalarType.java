// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A primitive type or its box.
 *
 * @param javaType the type
 * @param writer the method that writes it
 * @param reader the method that reads it
 * @param least its size
 * @param specifier its name in the XDR language
 */
record ScalarType(TypeName javaType, String writer, String reader, int least, String specifier)
    implements WireType {

  /**
   * A primitive type or its box.
   *
   * @param primitive the primitive type's name
   * @param javaType the type as declared
   */
  static ScalarType of(String primitive, TypeName javaType) {
    switch (primitive) {
      case "boolean":
        return new ScalarType(javaType, "bool", "bool", 4, "bool");
      case "byte":
        return new ScalarType(javaType, "int32", "int8", 4, "int");
      case "short":
        return new ScalarType(javaType, "int32", "int16", 4, "int");
      case "char":
        return new ScalarType(javaType, "int32", "char16", 4, "unsigned int");
      case "int":
        return new ScalarType(javaType, "int32", "int32", 4, "int");
      case "long":
        return new ScalarType(javaType, "int64", "int64", 8, "hyper");
      case "float":
        return new ScalarType(javaType, "float32", "float32", 4, "float");
      case "double":
        return new ScalarType(javaType, "float64", "float64", 8, "double");
      default:
        throw new IllegalArgumentException(primitive);
    }
  }

  @Override
  public long most() {
    return least;
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    CodeBlock present = javaType.isPrimitive() ? value
        : CodeBlock.of("$L.present($L, $S)", names.writer(), value, what);
    return CodeBlock.of("$L.$L($L)", names.writer(), writer, present);
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$L.$L()", names.reader(), reader);
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return specifier + " " + identifier;
  }

  @Override
  public String specifier(XdrText text) {
    return specifier;
  }

  @Override
  public String xdrName(XdrText text) {
    return specifier.replace(' ', '_');
  }
}
