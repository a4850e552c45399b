/**
 * RPCSEC_GSS (RFC 2203), as far as it stands: what its credential, the results of making a context, and protected
 * arguments and results look like, and which sequence numbers a server takes. No mechanism is in here: who signs and
 * encrypts is given by {@link dev.rpcrdma.protocol.gss.GssContext}. Nothing of the transport uses it yet.
 */
package dev.rpcrdma.protocol.gss;
