// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces of {@link dev.rpcrdma.service} on Vert.x's event bus: {@link
 * dev.rpcrdma.service.eventbus.RpcServiceBinder} registers an implementation at an address, and {@link
 * dev.rpcrdma.service.eventbus.EventBusChannel} makes proxies of it, with the failures that calls over RDMA have.
 * {@link dev.rpcrdma.service.eventbus.ConfiguredChannel} leaves the transport to a configuration.
 *
 * <h2>Messages</h2>
 *
 * A call is a message that is sent to the service's address, and asks for a reply. Its body is a {@code Buffer}: the
 * arguments in XDR (RFC 4506), without any head, with data items inline. Its headers, of which those with the prefix
 * {@code rpcrdma:} are no application's, since names of these have no colon:
 *
 * <table>
 * <caption>Headers of a call</caption>
 * <tr><th>header</th><th>value</th></tr>
 * <tr><td>{@code rpcrdma:program}, {@code rpcrdma:version}, {@code rpcrdma:procedure}</td>
 *     <td>unsigned decimal numbers of 32 bits; must be there</td></tr>
 * <tr><td>{@code rpcrdma:name}</td><td>what is called, for people, such as {@code Orders/place}</td></tr>
 * <tr><td>{@code rpcrdma:channel}, {@code rpcrdma:xid}</td>
 *     <td>an identifier of the caller, and an unsigned decimal number: both together name the call; the number is 0 if
 *     missing</td></tr>
 * <tr><td>{@code rpcrdma:millis}</td>
 *     <td>for how many milliseconds the caller waits; with 0 or less the call is not executed</td></tr>
 * <tr><td>{@code rpcrdma:callbacks}</td>
 *     <td>the address where the caller serves; begins with {@code rpcrdma:callbacks:}</td></tr>
 * <tr><td>{@code rpcrdma:credential}</td>
 *     <td>an ONC RPC credential other than AUTH_NONE: its flavor as an unsigned decimal number, a space, its body in
 *     base64</td></tr>
 * <tr><td>{@code rpcrdma:traceparent}, {@code rpcrdma:tracestate}</td><td>W3C Trace Context</td></tr>
 * <tr><td>{@code rpcrdma:large}</td>
 *     <td>the length of a body of more than 1 MiB, so that a worker looks at it first</td></tr>
 * <tr><td>{@code auth-token}</td><td>a token, judged where a verifier is; seen by services as any header</td></tr>
 * <tr><td>others</td><td>headers of the application, but for those that begin with {@code __vertx.}</td></tr>
 * </table>
 *
 * <p>A reply's body is a {@code Buffer}: the results in XDR, or nothing if there are none. Its headers:
 *
 * <table>
 * <caption>Headers of a reply</caption>
 * <tr><th>header</th><th>value</th></tr>
 * <tr><td>{@code rpcrdma:accept-stat}</td><td>RFC 5531's accept_stat: 0 to 5. There are results with 0 alone</td></tr>
 * <tr><td>{@code rpcrdma:low}, {@code rpcrdma:high}</td><td>with PROG_MISMATCH the versions that are served</td></tr>
 * <tr><td>{@code rpcrdma:auth-stat}</td>
 *     <td>RFC 5531's auth_stat, in place of accept_stat: refused for who calls</td></tr>
 * <tr><td>{@code rpcrdma:max-calls}</td>
 *     <td>in place of accept_stat: not executed, since as many calls as this are being executed</td></tr>
 * <tr><td>{@code rpcrdma:large}</td><td>as above</td></tr>
 * </table>
 *
 * <p>A message without the three numbers is answered with a failure of the event bus's own (RECIPIENT_FAILURE, code
 * 400), since whoever has sent it knows no other; one that asks for no reply is not executed.
 *
 * <p>A call that is given up is told of by a message without a body that is published to {@code rpcrdma:cancel:} and
 * the service's address, with the headers {@code rpcrdma:channel} and {@code rpcrdma:xid}. Only codecs of the event
 * bus's own are used, so that all of it crosses a cluster.
 */
package dev.rpcrdma.service.eventbus;
