// SPDX-License-Identifier: Apache-2.0
/**
 * Which form a message takes, and which chunks it needs (RFC 8166 §3.4, §3.5): pure arithmetic on
 * sizes, done once for each message.
 */
package dev.rpcrdma.protocol.chunk;
