/**
 * What a provider is tested with: the contract suite, decorators, leak checks, and the lab.
 */
module dev.rpcrdma.testkit {
  requires transitive dev.rpcrdma.verbs;
  requires transitive org.junit.jupiter.api;
  requires java.logging;
  requires org.assertj.core;

  exports dev.rpcrdma.testkit;
  exports dev.rpcrdma.testkit.lab;

  opens dev.rpcrdma.testkit.lab to org.junit.platform.commons;
}
