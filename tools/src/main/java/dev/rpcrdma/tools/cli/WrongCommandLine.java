// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.tools.cli;

import dev.rpcrdma.verbs.options.Spelling;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells what is wrong with a command line, what may have been meant, and how to get help, but no help. */
final class WrongCommandLine implements IParameterExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    Optional<UnmatchedArgumentException> unknown = unknownOption(e);
    unknown.ifPresent(option -> tell(option, option.getMessage()));
    if (unknown.isEmpty() || e instanceof MissingParameterException) {
      tell(e, isAboutCommands(e) ? commands(e) : e.getMessage());
    }
    line.getErr().println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    return line.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static void tell(ParameterException e, String message) {
    CommandLine line = e.getCommandLine();
    line.getErr().println(line.getColorScheme().errorText(message));
    if (e instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()) {
      List<String> guesses = guesses(unmatched);
      if (!guesses.isEmpty()) {
        line.getErr().println("Possible solutions: " + String.join(", ", guesses));
      }
    } else {
      UnmatchedArgumentException.printSuggestions(e, line.getErr());
    }
  }

  /** The option that is spelled almost alike, or else those of picocli, whose first two letters are the same. */
  private static List<String> guesses(UnmatchedArgumentException unknown) {
    List<String> names = unknown.getCommandLine().getCommandSpec().options().stream().filter(each -> !each.hidden())
        .map(OptionSpec::longestName).toList();
    return Spelling.nearest(unknown.getUnmatched().get(0).replaceFirst("=.*", ""), names).map(List::of)
        .orElseGet(unknown::getSuggestions);
  }

  /** The first unknown option: without it, others seem to be missing, and its value stands where it does not belong. */
  private static Optional<UnmatchedArgumentException> unknownOption(ParameterException e) {
    CommandLine line = e.getCommandLine();
    List<String> unmatched = e instanceof UnmatchedArgumentException all ? all.getUnmatched()
        : Optional.ofNullable(line.getParseResult()).map(ParseResult::unmatched).orElse(List.of());
    return unmatched.stream().map(each -> new UnmatchedArgumentException(line, List.of(each)))
        .filter(UnmatchedArgumentException::isUnknownOption).findFirst();
  }

  /** Whether there is no command, or one that is unknown. */
  private static boolean isAboutCommands(ParameterException e) {
    CommandLine line = e.getCommandLine();
    return line.getParent() == null && e.getArgSpec() == null && !line.getParseResult().hasSubcommand();
  }

  private static String commands(ParameterException e) {
    String names = "There are " + String.join(", ", e.getCommandLine().getSubcommands().keySet()) + ".";
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return "Which command? " + names;
    }
    String unknown = "There is no command '" + unmatched.getUnmatched().get(0) + "'.";
    return unmatched.getSuggestions().isEmpty() ? unknown + " " + names : unknown;
  }
}
