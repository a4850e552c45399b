// SPDX-License-Identifier: Apache-2.0
/** Holds the manual's page of error messages against the sources that make them. */
package dev.rpcrdma.requirements.message;
