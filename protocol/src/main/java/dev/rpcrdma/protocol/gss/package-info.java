// SPDX-License-Identifier: Apache-2.0
/**
 * RPCSEC_GSS (RFC 2203). A client makes contexts and has its calls signed or encrypted by them ({@link
 * dev.rpcrdma.protocol.gss.GssClient}, a {@link dev.rpcrdma.protocol.security.CallProtector}); a server makes contexts
 * with its clients, and judges calls by them ({@link dev.rpcrdma.protocol.gss.GssServer}, an {@link
 * dev.rpcrdma.protocol.security.Authenticator}). No mechanism is in here: how contexts are made is given by {@link
 * dev.rpcrdma.protocol.gss.GssHandshake}, and who signs and encrypts by {@link dev.rpcrdma.protocol.gss.GssContext}.
 */
package dev.rpcrdma.protocol.gss;
