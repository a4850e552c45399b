// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A string or opaque of variable length.
 *
 * @param javaType the type
 * @param method the method that writes it and the one that reads it
 * @param text whether it is a string
 * @param max its bound in bytes
 * @param placed whether it is DDP-eligible
 */
record SequenceType(TypeName javaType, String method, boolean text, int max, boolean placed)
    implements WireType {

  SequenceType withMax(int value) {
    return new SequenceType(javaType, method, text, Math.min(max, value), placed);
  }

  SequenceType asPlaced() {
    return new SequenceType(javaType, "placed" + Character.toUpperCase(method.charAt(0))
        + method.substring(1), text, max, true);
  }

  @Override
  public int least() {
    return 4;
  }

  /** Without the item's bytes if it is placed. */
  @Override
  public long most() {
    return placed ? 4 : max == Integer.MAX_VALUE ? UNBOUNDED : 4 + ((max + 3L) & ~3L);
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock value, String what) {
    return write(names, value, bound(max), what);
  }

  CodeBlock write(Scope names, CodeBlock value, CodeBlock bound, String what) {
    return CodeBlock.of("$L.$L($L, $L, $S)", names.writer(), method, value, bound, what);
  }

  @Override
  public CodeBlock read(Scope names) {
    return read(names, bound(max));
  }

  CodeBlock read(Scope names, CodeBlock bound) {
    return CodeBlock.of("$L.$L($L)", names.reader(), method, bound);
  }

  @Override
  public String declaration(XdrText xdr, String identifier) {
    return (text ? "string " : "opaque ") + identifier + XdrText.bound(max);
  }

  @Override
  public String xdrName(XdrText xdr) {
    return (text ? "text" : "bytes") + XdrText.boundName(max);
  }

  /** The bound as source. */
  static CodeBlock bound(int max) {
    return max == Integer.MAX_VALUE ? CodeBlock.of("$T.MAX_VALUE", Integer.class)
        : CodeBlock.of("$L", max);
  }
}
