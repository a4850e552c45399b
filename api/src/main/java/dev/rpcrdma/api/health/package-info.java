// SPDX-License-Identifier: Apache-2.0
/** Procedures for Vert.x's health checks; needs {@code io.vertx:vertx-health-check}. */
package dev.rpcrdma.api.health;
