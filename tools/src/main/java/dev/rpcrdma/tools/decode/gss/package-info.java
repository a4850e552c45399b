// SPDX-License-Identifier: Apache-2.0
/**
 * Follows the security contexts of RPCSEC_GSS through a capture (RFC 2203): from the calls that make them, over
 * whichever connection, to each call and reply that is signed or encrypted by them. What the ends would have judged is
 * judged by the classes that they judge it with.
 */
package dev.rpcrdma.tools.decode.gss;
