// SPDX-License-Identifier: Apache-2.0
/**
 * A trading desk, as a user of the toolkit would write it: the program in two versions, its records, and the interface
 * by which the desk calls its clients back.
 */
package dev.rpcrdma.examples.desk;
