// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An enum, which crosses as its ordinal.
 *
 * @param javaType the enum
 * @param constants its constants in order
 */
record EnumType(ClassName javaType, List<String> constants) implements WireType {

  @Override
  public int least() {
    return 4;
  }

  @Override
  public long most() {
    return 4;
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return CodeBlock.of("$L.enumeration($L, $S)", names.writer(), value, what);
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$L.enumeration($T.values())", names.reader(), javaType);
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return specifier(text) + " " + identifier;
  }

  @Override
  public String specifier(XdrText text) {
    String name = text.typeName(javaType, XdrNames.type(javaType.simpleName()));
    text.define(name, () -> {
      Map<String, Integer> ordinals = new LinkedHashMap<>();
      constants.forEach(constant -> ordinals.put(constant, ordinals.size()));
      return text.enumeration(name, ordinals);
    });
    return name;
  }

  @Override
  public String xdrName(XdrText text) {
    return text.typeName(javaType, XdrNames.type(javaType.simpleName()));
  }
}
