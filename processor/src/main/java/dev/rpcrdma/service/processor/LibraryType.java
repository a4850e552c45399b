// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.util.List;

/**
 * A class of the Java library that has a codec of its own in the runtime.
 *
 * @param javaType the class
 * @param codec the class with the methods {@code write} and {@code read}, followed by the class's name
 * @param least its least size
 * @param most its largest size
 * @param declared its declaration in the XDR language, with {@code %s} for the identifier
 * @param xdrName its part of the names of typedefs
 * @param structs the structs that the declaration needs, each behind those that it needs itself
 */
record LibraryType(ClassName javaType, ClassName codec, int least, long most, String declared, String xdrName,
    List<LibraryStruct> structs) implements WireType {

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return CodeBlock.of("$T.write$L($L, $L, $S)", codec, javaType.simpleName(), names.writer(), value, what);
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$T.read$L($L)", codec, javaType.simpleName(), names.reader());
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    structs.forEach(struct -> text.define(struct.structName(), struct::definition));
    return String.format(declared, identifier);
  }

  @Override
  public String specifier(XdrText text) {
    if (!declared.endsWith(" %s")) {
      return WireType.super.specifier(text);
    }
    return declaration(text, "").trim();
  }

  @Override
  public String xdrName(XdrText text) {
    return xdrName;
  }
}
