// SPDX-License-Identifier: Apache-2.0
/** The command {@code nfs3}. */
package dev.rpcrdma.examples.nfs3.command;
