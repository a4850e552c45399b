// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Routes calls by a parameter: those with an equal one go to the same server of an address whose load balancer goes by
 * keys, such as {@link io.vertx.core.net.endpoint.LoadBalancer#CONSISTENT_HASHING}, as long as that can be reached, and
 * over the same one of several connections; those without chunks are sent in the order in which they are made, others
 * may be overtaken. The key is the text of the parameter, as of {@code toString()} or the name of a constant; null is
 * no key. It stands in for {@link dev.rpcrdma.api.CallOptions#withRoutingKey}, which wins if the proxy has it.
 *
 * <p>For one parameter of a method: a {@code String}, whole number, {@code boolean}, {@code char}, {@code UUID} or
 * enum.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface RoutingKey {}
