// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a procedure only looks: executing it again is harmless at any time and on any server. So after
 * the loss of a connection such a call is sent again to whatever server answers next. It is
 * {@link Idempotent} as well.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface ReadOnly {}
