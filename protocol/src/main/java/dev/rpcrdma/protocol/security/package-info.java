// SPDX-License-Identifier: Apache-2.0
/**
 * Who calls, as a server sees it (RFC 5531 §8.2): an {@link dev.rpcrdma.protocol.security.Authenticator} judges the
 * credential of each call, and says how the replies to it are protected. The other side is
 * {@link dev.rpcrdma.protocol.oncrpc.Credential}, or {@link dev.rpcrdma.protocol.security.CallProtector} where each
 * transmission is protected in its own way.
 */
package dev.rpcrdma.protocol.security;
