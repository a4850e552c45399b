// SPDX-License-Identifier: Apache-2.0
/** The commands {@code demo} and {@code ranges}, and what they share. */
package dev.rpcrdma.examples.blobs.command;
