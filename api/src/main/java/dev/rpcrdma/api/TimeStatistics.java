// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import java.time.Duration;

/**
 * How long something took, over all calls so far. Percentiles are exact to two decimal digits.
 *
 * @param count how often
 * @param total all of it together
 * @param p50 the median; zero if there is nothing
 * @param p99 what one of a hundred was longer than
 * @param max the longest
 */
public record TimeStatistics(long count, Duration total, Duration p50, Duration p99, Duration max) {
}
