// SPDX-License-Identifier: Apache-2.0
/**
 * TLS for providers whose connections are streams of this process: reads what Vert.x' options name ({@link
 * dev.rpcrdma.verbs.tls.TlsLoader}), and refuses what it could not keep.
 */
package dev.rpcrdma.verbs.tls;
