// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.kerberos.simulation;

import dev.rpcrdma.protocol.mutants.Mutant;
import dev.rpcrdma.protocol.mutants.MutantHunt;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation of calls by RPCSEC_GSS finds the bugs that somebody could make. */
@Tag("large")
class GssMutantsTest {

  static List<Mutant> mutants() {
    return List.of(
        new Mutant("the number of a lost transmission is used again", "dev.rpcrdma.kerberos.gss.SequenceNumbers",
            "    ended.set((int) at);",
            "    if (at == next - oldest - 1) {\n      next--;\n      return;\n    }\n    ended.set((int) at);"),
        new Mutant("the window is too small by one", "dev.rpcrdma.kerberos.gss.SequenceWindow", "number <= highest - size ||",
            "number <= highest - size + 1 ||"),
        new Mutant("the client takes the window to be larger by one", "dev.rpcrdma.kerberos.gss.SequenceNumbers", "next - oldest < window",
            "next - oldest <= window"),
        new Mutant("numbers that were left out are not taken any more", "dev.rpcrdma.kerberos.gss.SequenceWindow",
            "      forget(number);", "      if (number > highest + 2) {\n        forget(number);\n      }"),
        new Mutant("a number is taken again", "dev.rpcrdma.kerberos.gss.GssServer", "if (!context.take(credential.sequence())) {",
            "if (!context.take(credential.sequence()) && false) {"),
        new Mutant("heads of calls are not verified", "dev.rpcrdma.kerberos.gss.GssServer", ": !context.hasSigned(head, call.verifier())) {",
            ": false) {"),
        new Mutant("replies are not verified", "dev.rpcrdma.kerberos.gss.SignedTransmission",
            ": ClientContext.hasSigned(context.context(), sequence, verifier);", ": true;"),
        new Mutant("a reply is verified by the number of another call", "dev.rpcrdma.kerberos.gss.SignedTransmission",
            "ClientContext.hasSigned(context.context(), sequence, verifier)",
            "ClientContext.hasSigned(context.context(), sequence - 1, verifier)"),
        new Mutant("a reply that is given again has the verifier of its first transmission",
            "session.DuplicateRequestCache", "      principal = call.principal();",
            "      principal = call.principal();\n      by = call.security();")
            .and("session.DuplicateRequestCache", "    private Object principal;",
                "    private Object principal;\n    private dev.rpcrdma.protocol.security.CallSecurity by;")
            .and("session.DuplicateRequestCache", "      call.keptBy(this);",
                "      call.keptBy(this);\n      call.by(by);")
            .and("responder.IncomingCall", "  void letIn(CallSecurity verdict) {",
                "  public void by(CallSecurity other) {\n    security = other;\n  }\n\n"
                    + "  void letIn(CallSecurity verdict) {"),
        new Mutant("the answer to garbled arguments is remembered", "responder.Replies",
            "    CallRecord record = call.takeRecord();\n"
                + "    answer(call, new Reply(new ReplyHeader.Accepted(call.xid(), AcceptStatus.GARBAGE_ARGS)));\n"
                + "    if (record != null) {\n      record.dropped();\n    }",
            "    answer(call, new Reply(new ReplyHeader.Accepted(call.xid(), AcceptStatus.GARBAGE_ARGS)));"),
        new Mutant("a call that was held back until its slot had another one is executed", "session.SessionCache",
            "return behind > 0 && behind <= MOST_LATE;", "return false;"),
        new Mutant("a context that is unknown to the server is used on", "dev.rpcrdma.kerberos.gss.GssClient",
            "    if (standing.contains(context)) {", "    if (false) {"),
        new Mutant("calls fail since a connection is lost that their context is being made over", "dev.rpcrdma.kerberos.gss.GssClient",
            "              handshake.dispose();\n              GssClient.this.unreachable(Making.this);",
            "              fail(\"lost\");"),
        new Mutant("a context is not made anew that the server has forgotten half made", "dev.rpcrdma.kerberos.gss.GssClient",
            "GssServer.NO_CONTEXT && first)", "GssServer.NO_CONTEXT && false)"),
        new Mutant("the call that makes a context finds no slot", "requester.Credits",
            "others + (call.head().protector().isPresent() ? 1 : 0)", "others"));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("The simulation finds")
  @MethodSource("mutants")
  void found(Mutant mutant) throws Exception {
    MutantHunt.find(mutant, GssHunt.class.getName());
  }
}
