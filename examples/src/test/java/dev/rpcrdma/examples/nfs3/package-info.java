// SPDX-License-Identifier: Apache-2.0
/** The NFS server: its parts alone, with our own client, and mounted by Linux. */
package dev.rpcrdma.examples.nfs3;
