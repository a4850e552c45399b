// SPDX-License-Identifier: Apache-2.0
/** What the resolvers of addresses do. */
package dev.rpcrdma.api.impl.resolver;
