// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A list or a set.
 *
 * @param javaType the type
 * @param kind which of them
 * @param element the type of elements
 * @param max the bound of their count
 */
record CollectionType(TypeName javaType, Kind kind, WireType element, int max)
    implements VariableArray {

  /** Which methods of the runtime write and read it. */
  enum Kind {
    LIST,
    SET,
    SORTED_SET
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    String name = names.fresh("element");
    CodeBlock method = kind == Kind.SORTED_SET
        ? CodeBlock.of("$T.writeSet($L, ", ClassNames.SORTED_COLLECTIONS, names.writer())
        : CodeBlock.of("$L.collection(", names.writer());
    return CodeBlock.of("$L$L, $L, $S,$W$L -> $L)", method, value, SequenceType.bound(max), what, name,
        element.write(names, CodeBlock.of("$L", name), "an element of " + what));
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$L$L, $L,$W() -> $L)", reader(names), SequenceType.bound(max), element.least(),
        element.read(names));
  }

  private CodeBlock reader(Scope names) {
    switch (kind) {
      case LIST:
        return CodeBlock.of("$L.list(", names.reader());
      case SET:
        return CodeBlock.of("$T.readSet($L, ", ClassNames.HASH_COLLECTIONS, names.reader());
      case SORTED_SET:
        return CodeBlock.of("$T.readSet($L, ", ClassNames.SORTED_COLLECTIONS, names.reader());
      default:
        throw new IllegalStateException(kind.toString());
    }
  }
}
