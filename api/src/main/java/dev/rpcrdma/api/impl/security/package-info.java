// SPDX-License-Identifier: Apache-2.0
/** Who calls: users by AUTH_SYS, by the certificate of a peer, and by handles that clients get for tokens. */
package dev.rpcrdma.api.impl.security;
