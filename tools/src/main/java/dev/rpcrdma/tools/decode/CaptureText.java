// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.decode;

import dev.rpcrdma.tools.decode.gss.Remark;
import dev.rpcrdma.tools.decode.message.RpcMessage;
import dev.rpcrdma.verbs.capture.DecodedUnit;
import dev.rpcrdma.verbs.capture.read.Conversation;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints a capture for people: one line for each thing found, with the number of its frame, of its stream, and
 * its direction; below a message the RPC in it. If quiet, there are only streams and what is wrong.
 */
final class CaptureText implements CaptureOutput {

  private static final String BELOW = " ".repeat(16);

  private final PrintWriter out;
  private final boolean quiet;

  CaptureText(PrintWriter out, boolean quiet) {
    this.out = out;
    this.quiet = quiet;
  }

  @Override
  public void stream(Conversation conversation, String protocol) {
    out.println("stream " + conversation);
  }

  @Override
  public void skipped(Conversation conversation, String why) {
    out.println("stream " + conversation + " skipped: " + why);
  }

  @Override
  public void startup(Conversation conversation, DecodedUnit unit) {
    segment(conversation, unit);
    below(RpcText.startup(unit.payload()));
  }

  @Override
  public void segment(Conversation conversation, DecodedUnit unit) {
    print(at(conversation, unit.frame(), unit.fromOpener()) + unit.text());
  }

  @Override
  public void message(Conversation conversation, DecodedUnit unit, Optional<RpcRdmaMessage> rdma) {
    rdma.map(RpcText::message).ifPresent(this::below);
  }

  @Override
  public void record(RpcMessage message) {
    print(at(message) + RpcText.rpc(message.bytes()));
  }

  @Override
  public void assembled(RpcMessage message) {
    below(List.of(RpcText.rpc(message.bytes())));
  }

  @Override
  public void remark(RpcMessage message, Remark remark) {
    if (remark.important() && quiet) {
      out.println(at(message) + remark.text());
    } else {
      print(BELOW + remark.text());
    }
  }

  @Override
  public void fault(Conversation conversation, long frame, boolean fromOpener, String text) {
    out.println(at(conversation, frame, fromOpener) + "NOT WELL FORMED: " + text);
  }

  @Override
  public void end(CaptureSummary summary) {
    out.printf(Locale.ROOT, "%d %s streams, %d others skipped, %d segments, %d messages%n", summary.streams(),
        summary.protocol(), summary.skipped(), summary.segments(), summary.messages());
    summary.contexts().ifPresent(followed ->
        out.println(summary.overTcp() + " streams of RPC over TCP; " + followed.summary()));
    out.flush();
  }

  private void print(String line) {
    if (!quiet) {
      out.println(line);
    }
  }

  private void below(List<String> lines) {
    lines.forEach(line -> print(BELOW + line));
  }

  private static String at(RpcMessage message) {
    return at(message.conversation(), message.frame(), message.fromOpener());
  }

  private static String at(Conversation conversation, long frame, boolean fromOpener) {
    return String.format(Locale.ROOT, "%8d %3d %s ", frame, conversation.number(), fromOpener ? ">" : "<");
  }
}
