// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * Optional-data.
 *
 * @param javaType the type
 * @param content the type of what is in it
 */
record OptionalType(TypeName javaType, WireType content) implements OptionalData {

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    String name = names.fresh("content");
    return CodeBlock.of("$L.optional($L, $S,$W$L -> $L)", names.writer(), value, what, name,
        content.write(names, CodeBlock.of("$L", name), what));
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$L.optional(() -> $L)", names.reader(), content.read(names));
  }
}
