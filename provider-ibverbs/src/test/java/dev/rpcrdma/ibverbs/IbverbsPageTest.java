// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rpcrdma.verbs.DeviceAttributes;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tables of docs/ibverbs.md. */
class IbverbsPageTest {

  private static List<String[]> rows(String head) throws Exception {
    List<String> lines = Files.readAllLines(Path.of("../docs/ibverbs.md"));
    int begin = lines.indexOf(head) + 2;
    return lines.subList(begin, lines.size()).stream().takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|")).map(cell -> cell.strip().replace("`", "")).toArray(String[]::new))
        .toList();
  }

  @Test
  @DisplayName("What devices do differently is named as the attributes are")
  void attributes() throws Exception {
    List<String> names = Arrays.stream(DeviceAttributes.class.getRecordComponents()).map(RecordComponent::getName)
        .toList();
    assertThat(rows("| attribute | siw (Java) | Linux's siw | rxe, RoCE, InfiniBand |").stream().map(row -> row[1])
        .filter(name -> !name.startsWith("private data"))).isNotEmpty().isSubsetOf(names);
  }
}
