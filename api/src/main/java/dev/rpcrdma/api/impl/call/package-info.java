// SPDX-License-Identifier: Apache-2.0
/** A call of this end, from the request to the caller's future; belongs to no connection. */
package dev.rpcrdma.api.impl.call;
