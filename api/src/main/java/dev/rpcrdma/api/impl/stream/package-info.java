// SPDX-License-Identifier: Apache-2.0
/**
 * Streams as sequences of payloads. Each object here is confined to one context: what comes from elsewhere, such as
 * buffers of a stream that belongs to another context, is carried there first.
 */
package dev.rpcrdma.api.impl.stream;
