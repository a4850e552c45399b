// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

/** A type that does not exist yet: another processor may still generate it. */
final class Unresolved extends RuntimeException {

  private static final long serialVersionUID = 1L;

  Unresolved(String type) {
    super(type, null, false, false);
  }
}
