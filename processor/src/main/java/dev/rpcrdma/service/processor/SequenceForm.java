// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

/** A type that crosses as a string or opaque, and is written and read in a way of its own. */
interface SequenceForm extends WireType {

  /** The string or opaque. */
  SequenceType sequence();

  @Override
  default int least() {
    return sequence().least();
  }

  @Override
  default long most() {
    return sequence().most();
  }

  @Override
  default String declaration(XdrText xdr, String identifier) {
    return sequence().declaration(xdr, identifier);
  }

  @Override
  default String xdrName(XdrText xdr) {
    return sequence().xdrName(xdr);
  }
}
