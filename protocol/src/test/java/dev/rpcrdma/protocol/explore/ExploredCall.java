// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import dev.rpcrdma.protocol.oncrpc.ReplyHeader;
import dev.rpcrdma.protocol.requester.CallListener;
import dev.rpcrdma.protocol.requester.Outcome;
import dev.rpcrdma.protocol.requester.TestCall;
import dev.rpcrdma.protocol.session.ChannelCall;
import dev.rpcrdma.protocol.xdr.XdrReader;

/** One call of a {@link SmallWorld}, and all that is promised of it. */
final class ExploredCall implements CallListener {

  /** How often it may be executed. */
  enum Kind {
    /** Once. */
    ONCE(2),
    /** Again, until its caller has the answer. */
    AGAIN(3),
    /** At any time. */
    LOOK(1);

    final int procedure;

    Kind(int procedure) {
      this.procedure = procedure;
    }

    static Kind of(int procedure) {
      return procedure == 2 ? ONCE : procedure == 3 ? AGAIN : LOOK;
    }
  }

  /** A promise that was not kept. */
  static final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  /** How many bytes are written to memory that a caller has lent. */
  static final int LENT_BYTES = 1024;

  private final SmallPlan plan;
  final int number;
  final Kind kind;
  /** Null until it is made. */
  TestCall caller;
  ChannelCall handle;
  int executions;
  private boolean answered;
  private boolean failed;
  private boolean unsent;

  ExploredCall(SmallPlan plan, int number, Kind kind) {
    this.plan = plan;
    this.number = number;
    this.kind = kind;
  }

  @Override
  public String toString() {
    return "call " + number;
  }

  /** How many bytes its results have besides two words. */
  int resultBytes() {
    return plan.largeReply(number) ? 1024 : 0;
  }

  boolean ended() {
    return answered || failed;
  }

  boolean mayBeGivenUp() {
    return plan.givingUp() && !ended();
  }

  void executed() {
    executions++;
    check(kind != Kind.ONCE || executions == 1, "is executed " + executions + " times");
    check(kind == Kind.LOOK || !answered, "is executed after its caller had the answer");
    check(!unsent, "is executed, and its caller heard that it was never sent");
  }

  /** Its service does something. */
  void works() {
    check(kind == Kind.LOOK || !answered, "is being executed after its caller had the answer");
  }

  private void check(boolean kept, String otherwise) {
    if (!kept) {
      throw new Violation(this + " " + otherwise);
    }
  }

  private void outcome() {
    check(!ended(), "has a second outcome");
  }

  @Override
  public void replied(XdrReader results) {
    outcome();
    answered = true;
    int of = results.int32();
    check(of == number, "gets the answer of call " + of);
    check(executions > 0, "is answered and was not executed");
    results.int32();
    results.fixedOpaque(resultBytes());
    if (plan.lends(number)) {
      results.dataItem(LENT_BYTES);
    }
    results.end();
  }

  @Override
  public void rejected(ReplyHeader header) {
    // Its service has taken too long, and may go on.
    check(plan.timeOuts() > 0, "is rejected");
    outcome();
    failed = true;
  }

  @Override
  public void failed(Outcome.Failed failure) {
    outcome();
    failed = true;
    unsent = !failure.sent();
    check(expected(failure.kind()), "fails: " + failure);
    check(!unsent || executions == 0, "was executed, and its caller hears that it was never sent");
  }

  private boolean expected(Outcome.Kind failure) {
    return switch (failure) {
      case CANCELLED -> plan.givingUp();
      case TIMEOUT -> plan.timeOuts() > 0;
      case FORGOTTEN -> plan.restarts() > 0;
      default -> false;
    };
  }
}
