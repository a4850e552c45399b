// SPDX-License-Identifier: Apache-2.0
/**
 * Support for tests of services: a connected client and server as parameters. Needs
 * {@code junit-jupiter-api} and a provider, such as {@code vertx-rpcrdma-provider-siw}, on the test
 * class path.
 */
package dev.rpcrdma.api.junit5;
