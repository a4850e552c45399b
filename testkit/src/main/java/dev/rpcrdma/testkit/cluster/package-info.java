// SPDX-License-Identifier: Apache-2.0
/** Hazelcast clusters for tests, on loopback and by themselves. Needs {@code vertx-hazelcast} on the test's path. */
package dev.rpcrdma.testkit.cluster;
