// SPDX-License-Identifier: Apache-2.0
/** Tests of the desk as its users would write them. */
package dev.rpcrdma.examples.desk;
