// SPDX-License-Identifier: Apache-2.0
/**
 * The seam between calls and a security mechanism in a module of its own, such as Kerberos: {@link
 * dev.rpcrdma.api.impl.mechanism.SecurityMechanism} makes contexts with peers, by calls over their connections, and
 * judges calls of peers by contexts. What is protected, and how it goes over connections, is the matter of {@code
 * dev.rpcrdma.protocol.security}.
 */
package dev.rpcrdma.api.impl.mechanism;
