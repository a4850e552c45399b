// SPDX-License-Identifier: Apache-2.0
/** Holds the signatures of the API, as class files have them, against those that are recorded. */
package dev.rpcrdma.requirements.signature;
