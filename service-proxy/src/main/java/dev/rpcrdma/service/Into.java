// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the {@code Payload} that a directly placed result fills. The parameter is not on the wire: the caller's future
 * yields the same memory, cut to the result's length, as a payload with an owner of its own, so that the caller
 * releases it and its target. The service is called with {@link NoTarget#PAYLOAD} in its place.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface Into {}
