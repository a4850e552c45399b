// SPDX-License-Identifier: Apache-2.0
/**
 * Options as data: an option is declared once, by its place, type, default and one sentence. JSON both ways, checks of
 * ranges, copies, equality, text and the manual's tables follow from that.
 *
 * <p>A class of options has one {@link dev.rpcrdma.verbs.options.OptionSet}, and an {@link
 * dev.rpcrdma.verbs.options.OptionValues} for each of its objects; its getters and setters are one line each.
 */
package dev.rpcrdma.verbs.options;
