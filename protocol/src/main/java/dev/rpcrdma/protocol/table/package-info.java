// SPDX-License-Identifier: Apache-2.0
/** Tables that allocate nothing for what comes and goes with each call. */
package dev.rpcrdma.protocol.table;
