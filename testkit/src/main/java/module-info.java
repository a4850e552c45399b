// SPDX-License-Identifier: Apache-2.0
/**
 * What a provider is tested with: the contract suite, decorators, leak checks, and the lab. What is built on providers
 * is tested with a fabric of this process.
 */
module dev.rpcrdma.testkit {
  requires transitive dev.rpcrdma.verbs;
  requires transitive org.junit.jupiter.api;
  requires java.logging;
  requires io.netty.common;
  requires org.assertj.core;
  requires static com.hazelcast.core;
  requires static io.vertx.clustermanager.hazelcast;

  exports dev.rpcrdma.testkit;
  exports dev.rpcrdma.testkit.cluster;
  exports dev.rpcrdma.testkit.fabric;
  exports dev.rpcrdma.testkit.lab;

  opens dev.rpcrdma.testkit.lab to org.junit.platform.commons;

  provides dev.rpcrdma.verbs.VerbsProvider with dev.rpcrdma.testkit.fabric.MemoryProvider;
}
