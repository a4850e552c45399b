// SPDX-License-Identifier: Apache-2.0
/** Meters for Micrometer; needs {@code io.micrometer:micrometer-core}. */
package dev.rpcrdma.api.micrometer;
