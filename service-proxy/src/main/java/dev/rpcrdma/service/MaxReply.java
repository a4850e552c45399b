// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Bounds the result of a procedure, so that the caller can provide room for it before the call (the
 * maximum-reply-size rule of RFC 8166 §6).
 *
 * <p>For a {@code Payload}, {@code Buffer}, {@code byte[]} or {@code String} the bound is the
 * result's length in bytes; for all else it is the size of the encoded result. Exactly one of the
 * two members is given.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface MaxReply {

  /**
   * A constant bound.
   *
   * @return bytes
   */
  int value() default -1;

  /**
   * The name of the {@code int} or {@code long} parameter that is the bound of each call. The
   * result is a {@code Payload}, {@code Buffer}, {@code byte[]} or {@code String}.
   *
   * @return the parameter's name
   */
  String parameter() default "";
}
