// SPDX-License-Identifier: Apache-2.0
/** Streams as sequences of payloads, between scripted ends. */
package dev.rpcrdma.api.impl.stream;
