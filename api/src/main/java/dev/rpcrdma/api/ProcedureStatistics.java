// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import java.util.Map;

/**
 * What calls of one procedure came to, on one side.
 *
 * @param side the side
 * @param program the program's name, or its number without a binding
 * @param version the program's version
 * @param procedure the procedure's name, or its number without a binding
 * @param calls how many have had their outcome
 * @param failures how many of them failed
 * @param times where their time went
 */
public record ProcedureStatistics(CallSide side, String program, int version, String procedure, long calls,
    long failures, Map<CallPhase, TimeStatistics> times) {
}
