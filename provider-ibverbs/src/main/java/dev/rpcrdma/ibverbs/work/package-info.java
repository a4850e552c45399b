// SPDX-License-Identifier: Apache-2.0
/** Work that has to be done off the event loops, since it takes system calls that may wait. */
package dev.rpcrdma.ibverbs.work;
