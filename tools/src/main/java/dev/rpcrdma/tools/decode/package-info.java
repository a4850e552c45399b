// SPDX-License-Identifier: Apache-2.0
/** Shows captures of RPC over RDMA: what decoders find in them, and above that the RPC messages. */
package dev.rpcrdma.tools.decode;
