// SPDX-License-Identifier: Apache-2.0
/**
 * Memory and who can reach it: each queue pair has a protection domain of its own, since a steering tag is good on all
 * queue pairs of its domain.
 */
package dev.rpcrdma.ibverbs.memory;
