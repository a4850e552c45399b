/**
 * The MOUNT program (RFC 1813 appendix I) over TCP: how a client gets its first handle. RFC 8267
 * §5.1 leaves it there, since nothing in it is large.
 *
 * <p><b>Limits.</b> Connections, their age without a call, the size of a call and the calls in
 * flight all have one. Whoever exceeds it is disconnected, as is who sends what is no call.
 */
package dev.rpcrdma.examples.nfs3.mount;
