// SPDX-License-Identifier: Apache-2.0
/**
 * A small NFS version 3 server (RFC 1813) over RPC-over-RDMA (RFC 8267): a real program, written
 * with the public API alone, which the clients of operating systems can mount.
 *
 * <table><caption>Packages</caption>
 * <tr><td>{@code model}</td><td>the values of RFC 1813</td></tr>
 * <tr><td>{@code tree}</td><td>a directory tree with handles; knows no network</td></tr>
 * <tr><td>{@code program}</td><td>the NFS program and its binding</td></tr>
 * <tr><td>{@code mount}</td><td>the MOUNT program, over TCP</td></tr>
 * </table>
 */
package dev.rpcrdma.examples.nfs3;
