/** What generated code implements, and code generators of others may. */
package dev.rpcrdma.api.spi;
