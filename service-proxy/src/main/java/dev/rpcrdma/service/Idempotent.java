// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a procedure may be executed again before its caller knows the outcome, such as one that sets a
 * value to what its arguments say. After the loss of a connection such a call is sent again within its
 * session, whatever the server remembers, and servers need not remember it.
 *
 * <p>It does not say that a repetition is harmless later, when the caller has its answer, or on another
 * server: it could undo what was done since. That is {@link ReadOnly}.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Idempotent {}
