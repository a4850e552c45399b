// SPDX-License-Identifier: Apache-2.0
/** The command line: one class for each command, and what they share. */
package dev.rpcrdma.tools.cli;
