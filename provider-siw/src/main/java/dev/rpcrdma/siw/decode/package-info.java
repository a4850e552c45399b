// SPDX-License-Identifier: Apache-2.0
/**
 * Shows what is in captured iWARP streams, judged by the state machines that serve connections.
 */
package dev.rpcrdma.siw.decode;
