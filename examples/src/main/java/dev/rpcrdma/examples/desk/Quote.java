// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.desk;

import dev.rpcrdma.service.MaxLength;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * What the market says of a symbol.
 *
 * @param symbol of what
 * @param bid what buyers pay for each
 * @param ask what sellers want for each
 * @param size how many can be had, or sold, at that, when the quote comes and again whenever an order is placed
 * @param time since when
 */
public record Quote(@MaxLength(12) String symbol, BigDecimal bid, BigDecimal ask, long size, Instant time) {}
