// SPDX-License-Identifier: Apache-2.0
/** Tests of projects that depend on this one as others do. */
package dev.rpcrdma.consumer;
