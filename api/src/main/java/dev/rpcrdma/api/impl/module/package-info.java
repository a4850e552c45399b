// SPDX-License-Identifier: Apache-2.0
/** Services of optional modules, and the name of the artifact that is missing. */
package dev.rpcrdma.api.impl.module;
