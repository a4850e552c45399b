// SPDX-License-Identifier: Apache-2.0
/** Time as the state machines see it: numbers that somebody else reads off a clock. */
package dev.rpcrdma.protocol.time;
