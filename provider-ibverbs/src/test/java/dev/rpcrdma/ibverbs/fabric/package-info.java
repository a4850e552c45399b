// SPDX-License-Identifier: Apache-2.0
/** The provider on a compiled library that is a fabric of its own: no device is needed, and any trouble can be made. */
package dev.rpcrdma.ibverbs.fabric;
