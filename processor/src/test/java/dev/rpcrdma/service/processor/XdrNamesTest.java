// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of Java in the RPC language. */
@DisplayName("Names of the .x text")
class XdrNamesTest {

  /** All names of up to five characters that look like what the rules write, and words of C with underscores. */
  private static List<String> names() {
    List<String> names = new ArrayList<>(List.of(""));
    for (int from = 0, length = 0; length < 5; length++) {
      int to = names.size();
      for (; from < to; from++) {
        for (char c : "xB_$\u00e9".toCharArray()) {
          names.add(names.get(from) + c);
        }
      }
    }
    names.remove(0);
    for (String name : List.of("bool", "linux", "signed", "EOF", "a_u0024", "a_u005f", "a$u0024", "a_u", "u0024", "u00e9")) {
      for (String before : List.of("", "x", "x_", "_", "$")) {
        for (String behind : List.of("", "_", "__", "$")) {
          names.add(before + name + behind);
        }
      }
    }
    return names.stream().distinct().toList();
  }

  /** Fails if an escape, the letter in front or the underscore behind can be there in two ways. */
  @Test
  @DisplayName("Different names stay different, and are names of the XDR language")
  void injective() {
    List<String> names = names();
    for (List<String> written : List.of(names.stream().map(XdrNames::member).toList(),
        names.stream().map(XdrNames::type).toList(), names.stream().map(XdrNames::escaped).toList())) {
      assertThat(written).doesNotHaveDuplicates().allMatch(name -> name.matches("[A-Za-z][A-Za-z0-9_]*"));
    }
  }

  /** Fails if a name that C knows stays, or an ordinary one changes. */
  @ParameterizedTest
  @CsvSource({"value, value, value_", "dateOfBirth, dateOfBirth, dateOfBirth_", "Person, Person, Person",
      "bool, bool_, bool_", "bool_, bool__, bool__", "signed, signed_, signed_", "linux, linux_, linux_",
      "EOF, EOF_, EOF_", "size_t, size_t_, size_t_", "a$b, a_u0024b_, a_u0024b_", "a_b, a_b_, a_b_", "_a, x_a_, x_a_",
      "x_a, xx_a_, xx_a_", "a_u0024b, a_u005fu0024b_, a_u005fu0024b_", "gr\u00f6\u00dfe, gr_u00f6_u00dfe_, "
      + "gr_u00f6_u00dfe_"})
  @DisplayName("What becomes of a name, as a component and as a type")
  void examples(String name, String member, String type) {
    assertThat(XdrNames.member(name)).isEqualTo(member);
    assertThat(XdrNames.type(name)).isEqualTo(type);
  }

  /** Fails if a program's macro replaces a type of the headers. */
  @ParameterizedTest
  @CsvSource({"BlobStore, BLOB_STORE", "File, FILE_", "Client, CLIENT_"})
  @DisplayName("Programs are macros in capitals")
  void programs(String name, String program) {
    assertThat(XdrNames.program(name)).isEqualTo(program);
  }
}
