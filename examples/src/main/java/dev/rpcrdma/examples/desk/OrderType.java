// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

/** At which price an order may be filled. */
public sealed interface OrderType permits MarketOrder, LimitOrder {}
