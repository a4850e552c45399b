// SPDX-License-Identifier: Apache-2.0
/** This library's own program: its numbers, and the procedures that a connection's two machines call by themselves. */
package dev.rpcrdma.protocol.control;
