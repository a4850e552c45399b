/** What verticles without arguments find in their configuration. */
package dev.rpcrdma.api.impl.verticle;
