// SPDX-License-Identifier: Apache-2.0
/**
 * rdma-core's libraries as they are: functions, layouts and numbers, and nothing of what is made of them. Addresses of
 * native objects are {@code long}; who has one, and for how long it is good, is the business of those above.
 *
 * <p>Functions are bound by jnr-ffi. What rdma-core declares inline goes through the function pointers of {@code
 * ibv_context}, by jffi, without garbage. All addresses are 64 bits wide, and bytes are in the order of the machine.
 */
package dev.rpcrdma.ibverbs.ffi;
