// SPDX-License-Identifier: Apache-2.0
/**
 * Messages on their way: the chunks that are exposed for one, what is sent of it, the chunks that are pulled for
 * one that has come, and where its inline part is copied to.
 */
package dev.rpcrdma.protocol.message;
