// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a record its case in the discriminated union (RFC 4506 §4.15) that its sealed interface is:
 *
 * <pre>{@code
 * public sealed interface Shape permits Circle, Square {}
 * @XdrCase(1) public record Circle(double radius) implements Shape {}
 * @XdrCase(2) public record Square(double side) implements Shape {}
 * }</pre>
 *
 * <p>Each record that the interface permits has one, and no other has the same. A record without components is
 * a case without data ({@code void}).
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface XdrCase {

  /**
   * The discriminant.
   *
   * @return any, signed
   */
  int value();
}
