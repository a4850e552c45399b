// SPDX-License-Identifier: Apache-2.0
/** Spans of calls, by whatever tracer Vert.x has: a tracer that fails changes no call. */
package dev.rpcrdma.api.impl.trace;
