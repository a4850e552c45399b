// SPDX-License-Identifier: Apache-2.0
/** Connecting and accepting by librdmacm: its events, and what each kind of fabric means by them. */
package dev.rpcrdma.ibverbs.connect;
