// SPDX-License-Identifier: Apache-2.0
/** A client of the desk: its identity, its tenant, and what it does when the desk is started again. */
package dev.rpcrdma.examples.desk.client;
