// SPDX-License-Identifier: Apache-2.0
/** The desk's server: its books, its service for both versions, who may do what, and a verticle that holds them. */
package dev.rpcrdma.examples.desk.server;
