// SPDX-License-Identifier: Apache-2.0
/** The provider on the kernel's software devices, in the lab's machine. */
package dev.rpcrdma.ibverbs.lab;
