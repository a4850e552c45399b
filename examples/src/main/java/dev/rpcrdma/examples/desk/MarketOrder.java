// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.XdrCase;

/** At whatever the market asks or bids. */
@XdrCase(1)
public record MarketOrder() implements OrderType {}
