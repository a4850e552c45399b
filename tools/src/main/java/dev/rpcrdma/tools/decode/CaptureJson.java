// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.tools.decode.gss.Remark;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.read.Conversation;
import io.vertx.core.json.JsonObject;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes an object of each thing that is found in a capture, when it is found; if quiet, of streams and what is wrong. */
final class CaptureJson implements CaptureOutput {

  private final Consumer<JsonObject> out;
  private final boolean quiet;

  CaptureJson(Consumer<JsonObject> out, boolean quiet) {
    this.out = out;
    this.quiet = quiet;
  }

  @Override
  public void stream(Conversation conversation, String protocol) {
    out.accept(ends("stream", conversation).put("protocol", protocol));
  }

  @Override
  public void skipped(Conversation conversation, String why) {
    out.accept(ends("skipped", conversation).put("reason", why));
  }

  @Override
  public void startup(Conversation conversation, DecodedUnit unit) {
    print(of("startup", conversation, unit).put("privateData", RpcJson.startup(unit.payload())));
  }

  @Override
  public void segment(Conversation conversation, DecodedUnit unit) {
    print(of("segment", conversation, unit));
  }

  @Override
  public void message(Conversation conversation, DecodedUnit unit, Optional<RpcRdmaMessage> rdma) {
    JsonObject json = at("message", conversation, unit.frame(), unit.fromOpener())
        .put("length", unit.payload().remaining());
    rdma.ifPresent(message -> json.put("rdma", RpcJson.message(message)));
    rdma.flatMap(RpcJson::head).ifPresent(head -> json.put("rpc", head));
    print(json);
  }

  @Override
  public void record(RpcMessage message) {
    print(of("record", message).put("length", message.bytes().remaining()).put("rpc", RpcJson.rpc(message.bytes())));
  }

  @Override
  public void assembled(RpcMessage message) {
    print(of("assembled", message).put("length", message.bytes().remaining())
        .put("rpc", RpcJson.rpc(message.bytes())));
  }

  @Override
  public void remark(RpcMessage message, Remark remark) {
    JsonObject json = of("remark", message).put("text", remark.text()).put("important", remark.important());
    if (remark.important()) {
      out.accept(json);
    } else {
      print(json);
    }
  }

  @Override
  public void fault(Conversation conversation, long frame, boolean fromOpener, String text) {
    out.accept(at("fault", conversation, frame, fromOpener).put("text", text));
  }

  @Override
  public void end(CaptureSummary summary) {
    JsonObject json = event("summary").put("protocol", summary.protocol()).put("streams", summary.streams())
        .put("skipped", summary.skipped()).put("segments", summary.segments()).put("messages", summary.messages());
    summary.contexts().ifPresent(followed ->
        json.put("rpcOverTcp", summary.overTcp()).put("text", followed.summary()));
    out.accept(json);
  }

  private void print(JsonObject json) {
    if (!quiet) {
      out.accept(json);
    }
  }

  private static JsonObject event(String name) {
    return new JsonObject().put("event", name);
  }

  private static JsonObject ends(String event, Conversation conversation) {
    return event(event).put("stream", conversation.number()).put("opener", address(conversation.opener()))
        .put("acceptor", address(conversation.acceptor()));
  }

  private static JsonObject at(String event, Conversation conversation, long frame, boolean fromOpener) {
    return event(event).put("frame", frame).put("stream", conversation.number()).put("fromOpener", fromOpener);
  }

  private static JsonObject of(String event, Conversation conversation, DecodedUnit unit) {
    return at(event, conversation, unit.frame(), unit.fromOpener()).put("text", unit.text());
  }

  private static JsonObject of(String event, RpcMessage message) {
    return at(event, message.conversation(), message.frame(), message.fromOpener());
  }

  private static String address(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
