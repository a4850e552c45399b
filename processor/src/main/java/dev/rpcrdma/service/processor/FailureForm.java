// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

/** How a program carries failures: the constants of {@code dev.rpcrdma.service.Failures}, by their names. */
enum FailureForm {

  UNION,

  MESSAGES,

  NONE
}
