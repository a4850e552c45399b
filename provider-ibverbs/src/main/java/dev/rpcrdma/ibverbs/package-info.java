/**
 * libibverbs and librdmacm. This version finds out whether they could be used here, and says that it
 * does not drive them yet.
 */
package dev.rpcrdma.ibverbs;
