// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

/** A type that crosses as an array of variable length (RFC 4506 §4.13). */
interface VariableArray extends WireType {

  /** The type of elements. */
  WireType element();

  /** The bound of their count. */
  int max();

  @Override
  default int least() {
    return 4;
  }

  @Override
  default long most() {
    return WireType.array(max(), element().most());
  }

  @Override
  default String declaration(XdrText text, String identifier) {
    return element().specifier(text) + " " + identifier + XdrText.bound(max());
  }

  @Override
  default String xdrName(XdrText text) {
    return element().xdrName(text) + "_list" + XdrText.boundName(max());
  }
}
