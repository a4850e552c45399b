// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Bounds the value of an option that is a number; the command line holds it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Within {

  /** The most of a timeout in seconds: a day. */
  long DAY = 86_400;
  /** The last port. */
  long PORTS = 65_535;

  /**
   * The least value.
   *
   * @return it is allowed
   */
  long from();

  /**
   * The greatest value.
   *
   * @return it is allowed
   */
  long to();
}
