// SPDX-License-Identifier: Apache-2.0
/** The demo's program for peers that are not written in Java: its text in the RPC language, compiled to C. */
package dev.rpcrdma.examples.rpcgen;
