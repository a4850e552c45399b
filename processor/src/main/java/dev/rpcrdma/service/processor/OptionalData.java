// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

/** A type that crosses as optional-data (RFC 4506 §4.19). */
interface OptionalData extends WireType {

  /** The type of what is there, if something is. */
  WireType content();

  @Override
  default int least() {
    return 4;
  }

  @Override
  default long most() {
    return WireType.sum(4, content().most());
  }

  @Override
  default String declaration(XdrText text, String identifier) {
    return content().specifier(text) + " *" + identifier;
  }

  @Override
  default String xdrName(XdrText text) {
    return content().xdrName(text) + "_optional";
  }
}
