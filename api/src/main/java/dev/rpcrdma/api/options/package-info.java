// SPDX-License-Identifier: Apache-2.0
/** Options with JSON forms of their own: credentials, and TLS as Vert.x has it. */
package dev.rpcrdma.api.options;
