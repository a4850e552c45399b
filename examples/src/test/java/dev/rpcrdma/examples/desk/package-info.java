/** Tests of the desk as its users would write them. */
package dev.rpcrdma.examples.desk;
