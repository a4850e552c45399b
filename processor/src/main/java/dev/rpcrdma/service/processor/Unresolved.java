// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import javax.lang.model.element.Element;

/** A type that does not exist yet: another processor may still generate it. */
final class Unresolved extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Element user;

  /**
   * Creates the exception.
   *
   * @param type the type
   * @param user the element that names the type
   */
  Unresolved(String type, Element user) {
    super(type, null, false, false);
    this.user = user;
  }

  /** Returns the element that names the type. */
  Element user() {
    return user;
  }
}
