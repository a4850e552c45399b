// SPDX-License-Identifier: Apache-2.0
/** The key {@code cluster} of verticles. */
package dev.rpcrdma.cluster.impl.config;
