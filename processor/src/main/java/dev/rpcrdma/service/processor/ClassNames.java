// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;

/** The classes that generated source names. By name, so that the processor path stays short. */
final class ClassNames {

  static final ClassName FUTURE = ClassName.get("io.vertx.core", "Future");
  static final ClassName BUFFER = ClassName.get("io.vertx.core.buffer", "Buffer");
  static final ClassName JSON_OBJECT = ClassName.get("io.vertx.core.json", "JsonObject");
  static final ClassName JSON_ARRAY = ClassName.get("io.vertx.core.json", "JsonArray");
  static final ClassName PAYLOAD = ClassName.get("dev.rpcrdma.api", "Payload");
  static final ClassName CALL_OPTIONS = ClassName.get("dev.rpcrdma.api", "CallOptions");
  static final ClassName RPC_CALL = ClassName.get("dev.rpcrdma.api", "RpcCall");
  static final ClassName RPC_CALLER = ClassName.get("dev.rpcrdma.api", "RpcCaller");
  static final ClassName RPC_SERVICE = ClassName.get("dev.rpcrdma.api", "RpcService");
  static final ClassName SERVICE_BINDING = ClassName.get("dev.rpcrdma.api", "ServiceBinding");
  static final ClassName PROCEDURE_BINDING =
      ClassName.get("dev.rpcrdma.protocol.binding", "ProcedureBinding");
  static final ClassName REPLY_BOUND = ClassName.get("dev.rpcrdma.protocol.binding", "ReplyBound");
  static final ClassName UPPER_LAYER_BINDING =
      ClassName.get("dev.rpcrdma.protocol.binding", "UpperLayerBinding");
  static final ClassName XDR_ENCODER = ClassName.get("dev.rpcrdma.protocol.xdr", "XdrEncoder");
  static final ClassName FAILURES = ClassName.get("dev.rpcrdma.service", "Failures");
  static final ClassName NO_TARGET = ClassName.get("dev.rpcrdma.service", "NoTarget");
  static final ClassName PROXY_CALL = ClassName.get("dev.rpcrdma.service.runtime", "ProxyCall");
  static final ClassName HANDLER_CALL = ClassName.get("dev.rpcrdma.service.runtime", "HandlerCall");
  static final ClassName REMOTE_OBJECT = ClassName.get("dev.rpcrdma.service.runtime", "RemoteObject");
  static final ClassName SERVED_OBJECTS = ClassName.get("dev.rpcrdma.service.runtime", "ServedObjects");
  static final ClassName IDENTIFIERS = ClassName.get("dev.rpcrdma.service.runtime", "Identifiers");
  static final ClassName VALUE_READER = ClassName.get("dev.rpcrdma.service.runtime", "ValueReader");
  static final ClassName VALUE_WRITER = ClassName.get("dev.rpcrdma.service.runtime", "ValueWriter");
  static final ClassName HASH_COLLECTIONS =
      ClassName.get("dev.rpcrdma.service.runtime", "HashCollections");
  static final ClassName PRIMITIVE_ARRAYS =
      ClassName.get("dev.rpcrdma.service.runtime", "PrimitiveArrays");
  static final ClassName SORTED_COLLECTIONS =
      ClassName.get("dev.rpcrdma.service.runtime", "SortedCollections");

  private ClassNames() {}
}
