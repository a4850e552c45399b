// SPDX-License-Identifier: Apache-2.0
/**
 * A service that is on the event bus, or over RDMA, as its configuration says: {@link
 * dev.rpcrdma.examples.moved.MovedService}.
 */
package dev.rpcrdma.examples.moved;
