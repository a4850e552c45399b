// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * What may be null: optional-data.
 *
 * @param content the type of what is not null
 */
record NullableType(WireType content) implements OptionalData {

  @Override
  public TypeName javaType() {
    return content.javaType();
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    String name = names.fresh("content");
    return CodeBlock.of("$L.nullable($L,$W$L -> $L)", names.writer(), value, name,
        content.write(names, CodeBlock.of("$L", name), what));
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$L.nullable(() -> $L)", names.reader(), content.read(names));
  }
}
