// SPDX-License-Identifier: Apache-2.0
/** Room for replies: who waits before a service makes another one, and for how long. */
package dev.rpcrdma.api.impl.replies;
