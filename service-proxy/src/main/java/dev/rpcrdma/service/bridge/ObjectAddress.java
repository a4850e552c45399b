// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.bridge;

import io.vertx.core.MultiMap;
import java.util.UUID;

/**
 * Rules for the addresses of objects that services give to their callers. An object's address is a UUID, as
 * vertx-service-proxy makes one. Names that people give to addresses do not have that form. Addresses of replies do not
 * have it either.
 */
final class ObjectAddress {

  /** Header by which a reply names the address of an object. */
  static final String HEADER = "proxyaddr";
  /** Objects of all peers that one end of a bridge knows. A peer that is alone has half as many. */
  static final int MOST = 20_000;
  /** Action that ends an object, unless the action fails. */
  private static final String CLOSE = "close";

  private ObjectAddress() {}

  /** Returns whether a message closes an object, if its address is that of one. */
  static boolean isClosed(MultiMap headers) {
    return CLOSE.equals(headers.get(BridgePermit.ACTION));
  }

  /** Returns a new address, which no peer can guess. */
  static String random() {
    return UUID.randomUUID().toString();
  }

  /** Returns whether an address has the form of an object's address. */
  static boolean isValid(String address) {
    try {
      return UUID.fromString(address).toString().equals(address);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
