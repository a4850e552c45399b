/** Our RPC and that of a Linux kernel. */
package dev.rpcrdma.api.lab;
