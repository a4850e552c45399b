// SPDX-License-Identifier: Apache-2.0
/** Our RPC and that of a Linux kernel. */
package dev.rpcrdma.api.lab;
