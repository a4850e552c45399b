// SPDX-License-Identifier: Apache-2.0
/**
 * The annotation processor: it turns annotated interfaces, and numbered services of the event bus, into proxies and
 * handlers. It belongs on the path of processors, and on no application's.
 */
module dev.rpcrdma.service.processor {
  requires com.palantir.javapoet;
  requires java.compiler;
  requires org.objectweb.asm;

  provides javax.annotation.processing.Processor
      with dev.rpcrdma.service.processor.RpcProgramProcessor,
      dev.rpcrdma.service.processor.ProxyGenProcessor;
}
