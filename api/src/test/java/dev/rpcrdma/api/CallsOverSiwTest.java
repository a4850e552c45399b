package dev.rpcrdma.api;

/** Calls over the embedded provider. */
class CallsOverSiwTest extends CallsContract {

  CallsOverSiwTest() {
    super("siw");
  }
}
