// SPDX-License-Identifier: Apache-2.0
/** Every order of what can happen to a few calls of several servers, and what entries and identities look like. */
package dev.rpcrdma.protocol.replicated;
