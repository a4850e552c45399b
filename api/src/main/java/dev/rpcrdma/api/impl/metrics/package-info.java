// SPDX-License-Identifier: Apache-2.0
/**
 * What watches calls: statistics of our own, and the backend of Vert.x's metrics SPI. None of it changes what becomes
 * of a call; a backend that fails or holds up an event loop is told of once, and asked no more.
 */
package dev.rpcrdma.api.impl.metrics;
