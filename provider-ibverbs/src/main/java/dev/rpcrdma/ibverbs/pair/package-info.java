// SPDX-License-Identifier: Apache-2.0
/**
 * Queue pairs of the SPI: what is native of one, its life on its event loop, and what its consumer sees.
 */
package dev.rpcrdma.ibverbs.pair;
