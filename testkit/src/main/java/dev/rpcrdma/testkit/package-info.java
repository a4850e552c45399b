/**
 * What providers, and what is built on them, are tested with.
 */
package dev.rpcrdma.testkit;
