/**
 * Messages on their way: the chunks that are exposed for one, what is sent of it, and where its inline part is
 * copied to when it comes.
 */
package dev.rpcrdma.protocol.message;
