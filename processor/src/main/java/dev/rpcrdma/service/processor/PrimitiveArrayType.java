// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * An array of primitives other than bytes.
 *
 * @param element the type of elements
 * @param max the bound of its length
 */
record PrimitiveArrayType(ScalarType element, int max) implements VariableArray {

  @Override
  public TypeName javaType() {
    return ArrayTypeName.of(element.javaType());
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return CodeBlock.of("$T.write($L, $L, $L, $S)", ClassNames.PRIMITIVE_ARRAYS, names.writer(), value,
        SequenceType.bound(max), what);
  }

  @Override
  public CodeBlock read(Scope names) {
    String primitive = element.javaType().toString();
    return CodeBlock.of("$T.read$L$Ls($L, $L)", ClassNames.PRIMITIVE_ARRAYS,
        Character.toUpperCase(primitive.charAt(0)), primitive.substring(1), names.reader(),
        SequenceType.bound(max));
  }
}
