// SPDX-License-Identifier: Apache-2.0
/**
 * What generated code provides to the API, and what carries calls by other means than RDMA: {@link
 * dev.rpcrdma.api.spi.CallTransport} those that are made, {@link dev.rpcrdma.api.spi.ServiceHost} those that come; and
 * how optional modules find servers, by {@link dev.rpcrdma.api.spi.ServerDiscovery}.
 */
package dev.rpcrdma.api.spi;
