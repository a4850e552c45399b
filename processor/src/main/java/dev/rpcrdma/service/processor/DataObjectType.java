// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A Vert.x data object, which crosses as JSON text: unlike a record it does not say in which order
 * its properties come, and it is made to gain properties without breaking its readers.
 *
 * @param javaType the class
 * @param max the text's bound in bytes
 */
record DataObjectType(TypeName javaType, int max) implements SequenceForm {

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return sequence().write(names, CodeBlock.of("$L.present($L, $S).toJson()", names.writer(), value,
        what), what);
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("new $T($L)", javaType, sequence().read(names));
  }

  @Override
  public SequenceType sequence() {
    return new SequenceType(ClassNames.JSON_OBJECT, "jsonObject", true, max, false);
  }
}
