// SPDX-License-Identifier: Apache-2.0
/** What verticles without arguments find in their configuration. */
package dev.rpcrdma.api.impl.verticle;
