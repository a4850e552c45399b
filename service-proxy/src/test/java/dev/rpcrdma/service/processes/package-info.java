// SPDX-License-Identifier: Apache-2.0
/**
 * Processes that serve a program together, and processes that call it, with servers that are killed, leave or are held
 * up under load: {@link dev.rpcrdma.service.processes.DyingServersTest}.
 */
package dev.rpcrdma.service.processes;
