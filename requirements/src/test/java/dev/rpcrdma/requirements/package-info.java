// SPDX-License-Identifier: Apache-2.0
/**
 * Which test proves which requirement: reads {@code docs/requirements.md} and the tests' sources, fails
 * when they disagree, and writes {@code target/requirements.md} at the root of the project. Also, whether what
 * the manual names is there.
 */
package dev.rpcrdma.requirements;
