// SPDX-License-Identifier: Apache-2.0
/** How an event loop hears that a device has completed something: descriptors that become readable. */
package dev.rpcrdma.ibverbs.completion;
