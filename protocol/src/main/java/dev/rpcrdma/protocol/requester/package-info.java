// SPDX-License-Identifier: Apache-2.0
/**
 * The side that calls: credits, XIDs, the matching of replies, fencing before a caller hears, and calls that are
 * given up.
 */
package dev.rpcrdma.protocol.requester;
