// SPDX-License-Identifier: Apache-2.0
/** Whole RPC messages of a capture: cut out of TCP by their record marks, or put together from Sends and chunks. */
package dev.rpcrdma.tools.decode.message;
