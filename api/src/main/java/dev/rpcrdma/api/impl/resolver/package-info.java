/** What the resolvers of addresses do. */
package dev.rpcrdma.api.impl.resolver;
