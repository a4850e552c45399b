// SPDX-License-Identifier: Apache-2.0
/** What address resolvers have found: known for as long as somebody calls, and chosen from by a load balancer. */
package dev.rpcrdma.api.impl.endpoint;
