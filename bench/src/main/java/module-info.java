/**
 * Measurements side by side with others. Never published.
 */
module dev.rpcrdma.bench {
  requires dev.rpcrdma.service;
  requires io.netty.buffer;
  requires info.picocli;
  requires HdrHistogram;
  requires jdk.management;

  opens dev.rpcrdma.bench to info.picocli;
}
