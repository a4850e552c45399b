// SPDX-License-Identifier: Apache-2.0
/**
 * ONC RPC version 2 (RFC 5531 §9): the headers of calls and replies, their statuses, and the
 * AUTH_NONE and AUTH_SYS flavors.
 */
package dev.rpcrdma.protocol.oncrpc;
