// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import java.time.Duration;
import java.util.Optional;

/**
 * What a trader of version 2 wants.
 *
 * @param order what version 1 has
 * @param timeInForce what becomes of it if it is not filled at once
 * @param goodFor after which time it is canceled; empty for never
 */
public record TimedOrder(NewOrder order, TimeInForce timeInForce, Optional<Duration> goodFor) {}
