// SPDX-License-Identifier: Apache-2.0
/**
 * The side that serves: calls as they come, pulling of what they bring, replies, and what a history of calls is
 * told of them.
 */
package dev.rpcrdma.protocol.responder;
