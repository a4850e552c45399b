// SPDX-License-Identifier: Apache-2.0
/**
 * What was posted to a queue pair, and what has become of it: pure, since devices do not tell all of it. Some lose what
 * is posted after a disconnect, some flush nothing before they are told to.
 */
package dev.rpcrdma.ibverbs.queue;
