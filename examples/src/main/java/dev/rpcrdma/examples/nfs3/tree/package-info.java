// SPDX-License-Identifier: Apache-2.0
/**
 * A directory tree as NFS sees it: objects with handles, names in directories, data.
 *
 * <p><b>Nothing outside the tree is reached.</b> A client names entries of directories, never
 * paths. Each operation makes its path anew from the root, and checks that every directory on it is
 * the one it was, and is no link; the last step never follows a link. What changes names excludes
 * all else while it runs, so one client cannot exchange a directory for a link under another's
 * operation. Whoever may change the tree without this server could; it does not protect the host
 * from itself.
 *
 * <p><b>A handle leads to its object, or nowhere.</b> Each operation compares the {@link
 * dev.rpcrdma.examples.nfs3.tree.Inode} of what it finds, time of birth included, so an object that has got the number
 * of an earlier one is another object. What is opened is compared once more, since Java opens by path. Attributes are
 * changed by path alone: between the comparison and the change another process of this machine can, within some
 * microseconds, put another object there. So it can in a directory between the comparison and a change of names.
 *
 * <p><b>Threads.</b> Everything here may block, and may be called by any number of threads.
 *
 * <p><b>Errors.</b> {@link dev.rpcrdma.examples.nfs3.model.NfsException}; an
 * {@link java.io.IOException} has a status too ({@code IoFailures}).
 */
package dev.rpcrdma.examples.nfs3.tree;
