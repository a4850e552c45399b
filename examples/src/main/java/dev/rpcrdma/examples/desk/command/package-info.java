// SPDX-License-Identifier: Apache-2.0
/** The command {@code desk}. */
package dev.rpcrdma.examples.desk.command;
