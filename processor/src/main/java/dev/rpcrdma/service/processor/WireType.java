// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/** How a Java type crosses: its XDR form, its sizes, and the code that writes and reads it. */
interface WireType {

  /** The size of what has no bound. */
  long UNBOUNDED = -1;

  /** The Java type, boxed or not as declared. */
  TypeName javaType();

  /** The least number of bytes a value takes inline. */
  int least();

  /** The largest number of bytes a value takes inline, or {@link #UNBOUNDED}. */
  long most();

  /**
   * An expression that writes a value.
   *
   * @param names the names in scope
   * @param value an expression that yields it
   * @param what its name in exceptions
   */
  CodeBlock write(Scope names, CodeBlock value, String what);

  /** An expression that reads a value. */
  CodeBlock read(Scope names);

  /** A declaration in the XDR language (RFC 4506 §6.3). */
  String declaration(XdrText text, String identifier);

  /** A type-specifier in the XDR language; may need a typedef. */
  default String specifier(XdrText text) {
    String name = text.typeName(declaration(text, ""), xdrName(text) + "_t");
    text.define(name, () -> "typedef " + declaration(text, name) + ";");
    return name;
  }

  /** A name for a typedef of this type. */
  String xdrName(XdrText text);

  /** Adds sizes, either of which may be unbounded. */
  static long sum(long a, long b) {
    return a == UNBOUNDED || b == UNBOUNDED ? UNBOUNDED : bounded(a + b);
  }

  /** The size of a variable-length array. */
  static long array(int max, long element) {
    return max == Integer.MAX_VALUE || element == UNBOUNDED ? UNBOUNDED : bounded(4 + max * element);
  }

  /** A size that no message has is none: sums and products of such sizes would overflow. */
  private static long bounded(long size) {
    return size > Integer.MAX_VALUE ? UNBOUNDED : size;
  }
}
