// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import java.util.List;

/**
 * What a {@link RpcStatistics} has gathered.
 *
 * @param procedures each procedure of which there were calls, on each side
 * @param traffic of all connections together
 */
public record StatisticsSnapshot(List<ProcedureStatistics> procedures, TrafficStatistics traffic) {
}
