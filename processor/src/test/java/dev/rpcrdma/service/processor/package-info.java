// SPDX-License-Identifier: Apache-2.0
/** Tests of the processor that compile nothing; the others are in {@code service-proxy}, in the package of this name. */
package dev.rpcrdma.service.processor;
