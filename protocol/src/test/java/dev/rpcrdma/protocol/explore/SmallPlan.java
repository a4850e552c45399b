// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import java.util.Locale;

/**
 * How large a {@link SmallWorld} is.
 *
 * @param calls how many calls are made
 * @param kinds of each call a letter: o, p and w must not be executed twice, a may be executed again, l only looks;
 *     a capital letter if its arguments are pulled, p if its results are, and w if they are written to memory that its
 *     caller has lent
 * @param credits how many calls are in flight at once
 * @param cuts how often connections are cut
 * @param restarts how often the server loses all it knows
 * @param timeOuts how often time passes
 * @param givingUp whether callers give calls up
 * @param lateMemory whether memory comes when it is chosen, or at once
 */
record SmallPlan(int calls, String kinds, int credits, int cuts, int restarts, int timeOuts,
    boolean givingUp, boolean lateMemory) {

  ExploredCall.Kind kind(int number) {
    return switch (Character.toLowerCase(kinds.charAt(number))) {
      case 'o', 'p', 'w' -> ExploredCall.Kind.ONCE;
      case 'a' -> ExploredCall.Kind.AGAIN;
      case 'l' -> ExploredCall.Kind.LOOK;
      default -> throw new IllegalArgumentException(kinds);
    };
  }

  boolean largeReplies() {
    return kinds.toLowerCase(Locale.ROOT).contains("p");
  }

  boolean largeReply(int number) {
    return Character.toLowerCase(kinds.charAt(number)) == 'p';
  }

  boolean lends() {
    return kinds.toLowerCase(Locale.ROOT).contains("w");
  }

  boolean lends(int number) {
    return Character.toLowerCase(kinds.charAt(number)) == 'w';
  }

  boolean pulled(int number) {
    return Character.isUpperCase(kinds.charAt(number));
  }
}
