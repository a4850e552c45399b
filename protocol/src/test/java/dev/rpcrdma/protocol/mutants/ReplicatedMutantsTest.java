// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The exploration of calls that several servers execute at most once finds the bugs that somebody could make. */
@Tag("slow")
class ReplicatedMutantsTest {

  private static final int STATES = 200_000;
  private static final String STEP = "replicated.ClaimStep";

  static List<Mutant> mutants() {
    return List.of(
        new Mutant("a claim counts though something else was there", STEP,
            "return done ? then(Kind.EXECUTE, null, null) : changed(Kind.READ, null);",
            "return then(Kind.EXECUTE, null, null);"),
        new Mutant("a claim without a reply is executed", STEP,
            "case CLAIMED -> then(Kind.CLAIMED_BEFORE, null, existing);",
            "case CLAIMED -> then(Kind.REPLACE, existing, claim);"),
        new Mutant("a call is executed before it is claimed", STEP,
            "return new ClaimStep(Kind.INSERT, claim, null, claim, 0);",
            "return new ClaimStep(Kind.EXECUTE, claim, null, null, 0);"),
        new Mutant("a lower number is let in", STEP,
            "if (existing.number() > claim.number()) {\n      return then(Kind.LATE, null, null);",
            "if (existing.number() > claim.number()) {\n      return then(Kind.REPLACE, existing, claim);"),
        new Mutant("a reply is stored under the next number", "replicated.ReplyEntry",
            "return new ReplyEntry(number, State.ANSWERED,", "return new ReplyEntry(number + 1, State.ANSWERED,"),
        new Mutant("a call is executed though its claim has failed", STEP,
            "default -> then(Kind.RELEASE, claim, claim.released());", "default -> then(Kind.EXECUTE, null, null);"),
        new Mutant("a claim is taken back after its call was executed", STEP,
            "case STORE -> then(Kind.FINISH, null, to);",
            "case STORE -> then(Kind.RELEASE, claim, claim.released());"),
        new Mutant("what was refused leaves nothing behind", STEP,
            "    return then(Kind.STORE, claim, outcome);",
            "    return then(Kind.STORE, claim, outcome.state() == ReplyEntry.State.RELEASED ? null : outcome);")
            .and(STEP, "    return then(Kind.FINISH, null, to);",
                "    return then(Kind.FINISH, null, to == null ? claim.released() : to);"),
        new Mutant("a stored reply is not found", STEP,
            "case ANSWERED -> then(Kind.ANSWER, null, existing);",
            "case ANSWERED -> then(Kind.CLAIMED_BEFORE, null, existing);"),
        new Mutant("a call whose reply was too large is executed again", STEP,
            "case GONE -> then(Kind.REPLY_GONE, null, existing);",
            "case GONE -> then(Kind.REPLACE, existing, claim);"));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("Exploration finds")
  @MethodSource("mutants")
  void found(Mutant mutant) throws Exception {
    Class<?> hunt = Class.forName("dev.rpcrdma.protocol.replicated.ReplicaHunt", true, new MutantLoader(mutant));
    Object found = hunt.getMethod("find", int.class).invoke(null, STATES);
    assertThat(found).as("%s, within %d states of each world", mutant, STATES).isNotNull();
    System.out.println("Found by exploration: " + mutant + "\n" + found);
  }
}
