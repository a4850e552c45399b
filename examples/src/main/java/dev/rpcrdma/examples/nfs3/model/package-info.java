// SPDX-License-Identifier: Apache-2.0
/**
 * The values of NFS version 3 (RFC 1813 §2.5, §2.6) and their XDR form. Immutable.
 */
package dev.rpcrdma.examples.nfs3.model;
