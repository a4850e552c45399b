// SPDX-License-Identifier: Apache-2.0
/**
 * As much of NFS version 4.1 (RFC 8881) as it takes to be called back: a session whose one
 * connection is also its backchannel, a file opened for reading, and the delegation that comes
 * with it. Sections are those of RFC 8881 where no other is named.
 */
package dev.rpcrdma.api.lab.nfs41;
