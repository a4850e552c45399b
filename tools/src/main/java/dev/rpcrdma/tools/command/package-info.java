// SPDX-License-Identifier: Apache-2.0
/**
 * What commands have in common, wherever they come from: options, output that commands no terminal, and what ends with
 * a command that is interrupted. {@link dev.rpcrdma.tools.command.CommandProvider} adds commands.
 */
package dev.rpcrdma.tools.command;
