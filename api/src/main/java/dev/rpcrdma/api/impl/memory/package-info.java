// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that is registered: the pool of a device, message slots, payloads, and all of that as a connection sees
 * it.
 */
package dev.rpcrdma.api.impl.memory;
