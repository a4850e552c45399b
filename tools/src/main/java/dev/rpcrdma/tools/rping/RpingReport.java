// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.rping;

/**
 * What was done.
 *
 * @param pings complete ones
 * @param bytes that went there and back again
 */
public record RpingReport(int pings, long bytes) {}
