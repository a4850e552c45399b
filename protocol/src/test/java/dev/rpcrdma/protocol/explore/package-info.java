// SPDX-License-Identifier: Apache-2.0
/**
 * All that can happen in very small worlds, tried in every order: the real machines, with a few calls, one or
 * two credits, and connections that are lost. The simulation draws histories at random and goes far; this
 * leaves none out, and does not go far.
 */
package dev.rpcrdma.protocol.explore;
