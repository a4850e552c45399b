// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Makes a method a procedure of its program. The method returns a {@code Future}. */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface RpcProcedure {

  /**
   * The procedure's number, unsigned and unique in its program. 0 is every program's NULL procedure
   * (RFC 5531 §12.1) and cannot be used.
   *
   * @return the number
   */
  int value();
}
