package dev.rpcrdma.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A day at the desk as it is printed. */
class DeskCommandTest {

  private final Commands commands = new Commands();

  @Test
  @DisplayName("The day is played to its end, and says what came of it")
  void day() {
    int status = commands.run("desk");
    assertThat(commands.err()).isEmpty();
    assertThat(status).isZero();
    assertThat(commands.out()).containsPattern("alice places +100 ACME at 101 at most: PARTIALLY_FILLED, 60\n")
        .containsPattern("alice, version 2 +150 ACME at once: CANCELED, 100\n")
        .containsPattern("refused +409 .* \\{\"limit\":\"1000000\",\"wanted\":\"101000000\"}\n")
        .containsPattern("bob is refused +TOOWEAK\n").containsPattern("alice gives up +0\n")
        .containsPattern("the desk +listens again\nalice hears +ACME at 100.75, .*\nalice waited +25 ACME: FILLED\n")
        .containsPattern("bob reads +225 ACME for 22372.50\n").endsWith("the desk is closed\n");
  }
}
