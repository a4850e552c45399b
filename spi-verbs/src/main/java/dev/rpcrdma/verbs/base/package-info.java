// SPDX-License-Identifier: Apache-2.0
/** What knows no verbs, and all of the others use: texts of failures, found services, addresses. */
package dev.rpcrdma.verbs.base;
