// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode.gss;

/**
 * A context of the capture that there are no keys of.
 *
 * @param name for people
 * @param reason why
 */
record UnopenedContext(String name, String reason) implements KnownContext {}
