// SPDX-License-Identifier: Apache-2.0
/** Transports that do what a test wants. */
package dev.rpcrdma.api.spi;
