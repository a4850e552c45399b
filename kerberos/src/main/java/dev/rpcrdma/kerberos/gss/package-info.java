// SPDX-License-Identifier: Apache-2.0
/**
 * RPCSEC_GSS (RFC 2203). A client makes contexts and has its calls signed or encrypted by them ({@link
 * dev.rpcrdma.kerberos.gss.GssClient}, a {@link dev.rpcrdma.protocol.security.CallProtector}); a server makes contexts
 * with its clients, and judges calls by them ({@link dev.rpcrdma.kerberos.gss.GssServer}, an {@link
 * dev.rpcrdma.protocol.security.Authenticator}). No mechanism is in here: how contexts are made is given by {@link
 * dev.rpcrdma.kerberos.gss.GssHandshake}, and who signs and encrypts by {@link dev.rpcrdma.kerberos.gss.GssContext}.
 */
package dev.rpcrdma.kerberos.gss;
