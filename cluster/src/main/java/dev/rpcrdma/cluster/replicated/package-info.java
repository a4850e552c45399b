// SPDX-License-Identifier: Apache-2.0
/** Replies that the servers of a program keep together, so that calls survive the death of their server. */
package dev.rpcrdma.cluster.replicated;
