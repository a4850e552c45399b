// SPDX-License-Identifier: Apache-2.0
/** What a peer can do wrong, each error once, with its section and its consequence. */
package dev.rpcrdma.protocol.fault;
