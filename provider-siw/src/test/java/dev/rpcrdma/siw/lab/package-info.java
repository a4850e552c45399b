// SPDX-License-Identifier: Apache-2.0
/** Our iWARP and that of a Linux kernel. */
package dev.rpcrdma.siw.lab;
