/** Says hello, on the module path. */
module hello {
  requires dev.rpcrdma;

  exports hello;
}
