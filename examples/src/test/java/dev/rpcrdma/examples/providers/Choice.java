// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.examples.providers;

import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;

/** Says which provider is taken, and what each says of itself: twice, since classes fail otherwise the second time. */
public final class Choice {

  private Choice() {}

  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      System.out.println("taken: " + VerbsProviders.preferred().name());
      for (VerbsProvider provider : VerbsProviders.all()) {
        provider.examine().forEach(finding ->
            System.out.println(provider.name() + ": " + finding.text() + ". " + finding.remedy() + "."));
      }
    }
  }
}
