// SPDX-License-Identifier: Apache-2.0
/**
 * A cache whose server recalls what its clients hold before it changes: {@link
 * dev.rpcrdma.examples.leases.LeaseExample}.
 */
package dev.rpcrdma.examples.leases;
