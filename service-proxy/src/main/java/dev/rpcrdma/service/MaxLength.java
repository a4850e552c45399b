// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Bounds a string or opaque in bytes (UTF-8), or a list, set or map in elements. Checked on both
 * sides. On a method it bounds the result; on a type argument, such as in
 * {@code List<@MaxLength(10) String>}, each of the elements.
 *
 * <p>Without it the bound is 2^31-1; in any case no more is allocated than a message can fill.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
public @interface MaxLength {

  /**
   * The bound.
   *
   * @return 0 or more
   */
  int value();
}
