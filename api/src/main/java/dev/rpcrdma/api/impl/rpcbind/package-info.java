// SPDX-License-Identifier: Apache-2.0
/** The shell around rpcbind: connections of TCP, time, and the registrations of servers. */
package dev.rpcrdma.api.impl.rpcbind;
