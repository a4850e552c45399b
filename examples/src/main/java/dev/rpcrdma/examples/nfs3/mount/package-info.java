// SPDX-License-Identifier: Apache-2.0
/**
 * The MOUNT program (RFC 1813 appendix I) over TCP: how a client gets its first handle. RFC 8267
 * §5.1 leaves it there, since nothing in it is large.
 *
 * <p><b>Limits.</b> Connections in all and from one address, their age without a call, the size of a call
 * and the calls without an answer all have one ({@link dev.rpcrdma.examples.nfs3.mount.MountLimits}). Whoever
 * exceeds it is disconnected, as is who sends what is no call. Answers are not encoded before the peer takes
 * them, and the list of mounts holds directories of the tree, and no more than one small answer of them.
 */
package dev.rpcrdma.examples.nfs3.mount;
