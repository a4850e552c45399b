// SPDX-License-Identifier: Apache-2.0
/** Examples, each in a package of its own; those that are commands are listed here. */
package dev.rpcrdma.examples;
