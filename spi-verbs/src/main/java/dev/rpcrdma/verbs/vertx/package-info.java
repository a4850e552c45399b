// SPDX-License-Identifier: Apache-2.0
/**
 * What the product asks of Vert.x beyond its public API and SPI: the only package that knows classes of
 * {@code io.vertx.core.internal}, other than its loggers.
 *
 * <p>Vert.x changes its internals between releases that are compatible otherwise. So each member that is called here is
 * looked up in every supported release before this product is released; the list of releases stands in the build.
 * Exported to the modules of this product alone.
 */
package dev.rpcrdma.verbs.vertx;
