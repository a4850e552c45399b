/**
 * Measurements side by side with others. Never published.
 */
module dev.rpcrdma.bench {
  requires dev.rpcrdma.service;
  requires info.picocli;
  requires HdrHistogram;

  opens dev.rpcrdma.bench to info.picocli;
}
