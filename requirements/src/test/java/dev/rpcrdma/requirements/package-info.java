/**
 * Which test proves which requirement: reads {@code docs/requirements.md} and the tests' sources, fails
 * when they disagree, and writes {@code target/requirements.md} at the root of the project.
 */
package dev.rpcrdma.requirements;
