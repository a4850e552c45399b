// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import java.util.Locale;

/**
 * How large a {@link SmallWorld} is.
 *
 * @param calls how many calls are made
 * @param kinds of each call a letter: o and p must not be executed twice, a may be executed again, l only looks;
 *     a capital letter if its arguments are pulled, and p if its results are
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
      case 'o', 'p' -> ExploredCall.Kind.ONCE;
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

  boolean pulled(int number) {
    return Character.isUpperCase(kinds.charAt(number));
  }
}
