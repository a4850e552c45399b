// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;

/**
 * A class of the Java library that crosses as a string or opaque and has a codec of its own in the runtime.
 *
 * @param javaType the class
 * @param codec the class with the methods {@code write} and {@code read}, followed by the class's name
 * @param text whether it is a string
 * @param max its bound in bytes
 */
record BoundedLibraryType(ClassName javaType, ClassName codec, boolean text, int max) implements SequenceForm {

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return CodeBlock.of("$T.write$L($L, $L, $L, $S)", codec, javaType.simpleName(), names.writer(), value,
        SequenceType.bound(max), what);
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$T.read$L($L, $L)", codec, javaType.simpleName(), names.reader(),
        SequenceType.bound(max));
  }

  @Override
  public SequenceType sequence() {
    return new SequenceType(javaType, "", text, max, false);
  }
}
