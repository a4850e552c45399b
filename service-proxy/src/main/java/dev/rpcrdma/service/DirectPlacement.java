// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a {@code Payload}, {@code Buffer} or {@code byte[]} DDP-eligible (RFC 8166 §6): when it
 * is large, RDMA carries its bytes straight to their place, past the message.
 *
 * <p>On a parameter for the argument, on the method for its result. A result whose size is bounded, by an
 * {@link Into} parameter or by {@link MaxReply}, is written to its place; one without a bound is pulled if it is
 * large, where the server provides that.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PARAMETER, ElementType.METHOD})
public @interface DirectPlacement {}
