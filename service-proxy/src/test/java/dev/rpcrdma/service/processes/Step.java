// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processes;

/** Moments of a replicated call at which its server can die, in their order. */
enum Step { BEFORE_CLAIM, AFTER_CLAIM, BEFORE_EFFECT, AFTER_EFFECT, BEFORE_STORE, AFTER_STORE, AFTER_SEND }
