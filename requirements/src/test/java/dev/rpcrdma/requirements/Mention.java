// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements;

/**
 * An id in the source of a test.
 *
 * @param id of the requirement
 * @param place class and method, or the class alone
 * @param lab true for a test against a Linux VM, which not every build runs
 */
record Mention(String id, String place, boolean lab) {}
