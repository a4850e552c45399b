/** Our iWARP and that of a Linux kernel. */
package dev.rpcrdma.siw.lab;
