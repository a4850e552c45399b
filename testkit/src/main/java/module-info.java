/**
 * What a provider is tested with: the contract suite, decorators and leak checks.
 */
module dev.rpcrdma.testkit {
  requires transitive dev.rpcrdma.verbs;
  requires transitive org.junit.jupiter.api;
  requires org.assertj.core;

  exports dev.rpcrdma.testkit;
}
