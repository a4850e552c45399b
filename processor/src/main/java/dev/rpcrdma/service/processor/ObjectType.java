// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.type.TypeKind;

/**
 * An object that stays where it was made, and is called by its id. Only a result is one, as a whole.
 *
 * @param type its interface
 * @param closing the method that closes it
 */
record ObjectType(ClassName type, Optional<ExecutableElement> closing) implements WireType {

  static final String DECLARATION = "opaque object[16]";

  @Override
  public TypeName javaType() {
    return type;
  }

  @Override
  public int least() {
    return 16;
  }

  @Override
  public long most() {
    return 16;
  }

  /** Returns the code that closes an object at its service: a function, whose result may be a future. */
  CodeBlock closer() {
    if (closing.isEmpty()) {
      return CodeBlock.of("idle -> null");
    }
    String method = closing.get().getSimpleName().toString();
    return closing.get().getReturnType().getKind() != TypeKind.VOID ? CodeBlock.of("$T::$L", type, method)
        : CodeBlock.of("idle -> {$>\nidle.$L();\nreturn null;\n$<}", method);
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    throw new UnsupportedOperationException("The handler has its objects written by make");
  }

  /** In a proxy. */
  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("new $L(this.caller, this.options, new $T($T.readUUID($L)))", ProxyWriter.objectProxy(type),
        ClassNames.REMOTE_OBJECT, ClassNames.IDENTIFIERS, names.reader());
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return "opaque " + identifier + "[16]";
  }

  @Override
  public String xdrName(XdrText text) {
    return "object";
  }
}
