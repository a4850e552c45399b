// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the constant of an enum its number in the XDR language (RFC 4506 §4.3). Either all constants of an enum
 * have one, each its own, or none has: then their ordinals cross.
 *
 * <p>With it, constants can be reordered, and the enums of programs that exist already elsewhere have the
 * numbers that they have there.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface XdrValue {

  /**
   * The number.
   *
   * @return any, signed
   */
  int value();
}
