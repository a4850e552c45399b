// SPDX-License-Identifier: Apache-2.0
/**
 * The provider {@code siw}: software iWARP in pure Java.
 *
 * <p>Runs everywhere Vert.x runs, and speaks on the wire what Linux siw and RFC-strict iWARP peers
 * speak. {@link dev.rpcrdma.siw.SiwProvider} is found through {@link java.util.ServiceLoader}; its
 * settings are in {@link dev.rpcrdma.siw.SiwOptions}.
 */
package dev.rpcrdma.siw;
