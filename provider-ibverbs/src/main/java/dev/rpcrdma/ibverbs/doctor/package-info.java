// SPDX-License-Identifier: Apache-2.0
/** What this machine lacks for an RDMA device to be driven, in words for who sets it up. */
package dev.rpcrdma.ibverbs.doctor;
