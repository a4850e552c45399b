// SPDX-License-Identifier: Apache-2.0
/** Event loops: which one a context has, how others get there, and the deadlines of all that lives on one. */
package dev.rpcrdma.api.impl.loop;
