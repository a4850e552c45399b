// SPDX-License-Identifier: Apache-2.0
/** What optional modules bring, and which artifact is missing. */
package dev.rpcrdma.api.impl.module;
