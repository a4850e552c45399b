// SPDX-License-Identifier: Apache-2.0
/** The shell of a connection, and of the calls that outlive it: events in, effects out, services found and run. */
package dev.rpcrdma.api.impl.connection;
