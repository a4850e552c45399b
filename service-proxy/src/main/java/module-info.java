/**
 * Annotated Java interfaces as ONC RPC programs: annotations, the annotation processor that turns them into proxies and
 * handlers, and what the generated code needs at run time; and the event bus, as a transport of programs, and bridged.
 */
@SuppressWarnings("module")
module dev.rpcrdma.service {
  requires transitive dev.rpcrdma.api;
  requires transitive io.vertx.serviceproxy;
  requires io.vertx.core.logging;
  // Generated classes carry javax.annotation.processing.Generated.
  requires transitive java.compiler;
  // Only the processor writes source; it runs from the processor path.
  requires static com.palantir.javapoet;
  requires static io.vertx.healthcheck;

  exports dev.rpcrdma.service;
  exports dev.rpcrdma.service.bridge;
  exports dev.rpcrdma.service.eventbus;
  exports dev.rpcrdma.service.runtime;

  provides javax.annotation.processing.Processor
      with dev.rpcrdma.service.processor.RpcProgramProcessor,
      dev.rpcrdma.service.processor.ProxyGenProcessor;
}
