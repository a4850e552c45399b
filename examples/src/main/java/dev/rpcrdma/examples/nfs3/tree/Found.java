// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.nfs3.tree;

import dev.rpcrdma.examples.nfs3.model.Attributes;

/**
 * An object that a name led to.
 *
 * @param node the object
 * @param attributes its attributes at that time
 */
public record Found(Node node, Attributes attributes) {}
