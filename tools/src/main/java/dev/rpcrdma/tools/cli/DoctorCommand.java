// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.tools.command.Printable;
import dev.rpcrdma.verbs.Finding;
import dev.rpcrdma.verbs.Finding.Grade;
import dev.rpcrdma.verbs.VerbsProvider;
import dev.rpcrdma.verbs.VerbsProviders;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what each provider lacks on this machine, and how to mend it. */
@Command(
    name = "doctor",
    description = "Look for all that each RDMA provider needs on this machine; say what is missing and how to mend it.",
    footer = {"", "The exit status is 1 if the provider that is asked for cannot be used, or none can."})
final class DoctorCommand implements Callable<Integer> {

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
  private boolean help;

  @Option(names = "--provider", paramLabel = "NAME", description = "Look at this provider only.")
  private String wanted = "";

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Printable.out(spec);
    List<VerbsProvider> providers = VerbsProviders.all().stream()
        .filter(provider -> wanted.isEmpty() || provider.name().equals(wanted)).toList();
    String preferred = null;
    for (VerbsProvider provider : providers) {
      List<Finding> findings = provider.examine();
      boolean usable = findings.stream().noneMatch(finding -> finding.grade() == Grade.PROBLEM);
      out.printf("%s: %s%n", provider.name(), usable ? "can be used" : "cannot be used");
      findings.forEach(finding -> print(out, finding));
      out.println();
      preferred = preferred == null && usable ? provider.name() : preferred;
    }
    if (preferred == null) {
      out.println(providers.isEmpty() ? "There is no such provider on the class path." : "Nothing can be used here.");
      return 1;
    }
    if (wanted.isEmpty()) {
      out.printf("Without a word about the provider, %s is used.%n", preferred);
    }
    return 0;
  }

  private static void print(PrintWriter out, Finding finding) {
    String mark = switch (finding.grade()) {
      case GOOD -> "ok";
      case WARNING -> "could be better";
      case PROBLEM -> "missing";
    };
    out.printf("  %-18s %s: %s.%n", finding.subject(), mark, finding.text());
    if (!finding.remedy().isEmpty()) {
      out.printf("  %-18s What to do: %s.%n", "", finding.remedy());
    }
  }
}
