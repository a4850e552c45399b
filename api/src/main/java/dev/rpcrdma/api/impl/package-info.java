/**
 * The shell that joins the pure protocol to a device and to Vert.x. Not exported.
 */
package dev.rpcrdma.api.impl;
