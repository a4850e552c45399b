// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.service.fixture.BlobInfo;
import dev.rpcrdma.service.fixture.Pages;
import dev.rpcrdma.service.fixture.Pages.Book;
import dev.rpcrdma.service.fixture.Pages.Node;
import dev.rpcrdma.service.fixture.Pages.Page;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Generic records. */
class PagesTest extends TypeFamilyTest<Pages> {

  PagesTest() {
    super(Pages.class, family());
  }

  private static <T> Page<T> page(List<T> items) {
    return new Page<>(items, Optional.empty());
  }

  private static TypeFamily<Pages> family() {
    return new TypeFamily<Pages>()
        .good(1, Pages::ofStrings, new Page<>(List.of("a"), Optional.of("b")),
            "00000001 00000001 61000000 00000001 00000001 62000000")
        .good(2, Pages::ofIntegers, page(List.of(-1)), "00000001 ffffffff 00000000")
        .good(3, Pages::ofRecords, page(List.of(new BlobInfo("n", 3, Buffer.buffer()))),
            "00000001 00000001 6e000000 00000000 00000003 00000000 00000000")
        .good(4, Pages::ofShort, page(List.of("ab")), "00000001 00000002 61620000 00000000")
        .good(5, Pages::ofNullable, page(Arrays.asList(1L, null)),
            "00000002 00000001 00000000 00000001 00000000 00000000")
        .good(6, Pages::ofNode, new Node<>("k", List.of(1), Optional.of(new Node<>(null, List.of(), Optional.empty()))),
            "00000001 00000001 6b000000 00000001 00000001 00000001 00000000 00000000 00000000")
        .good(7, Pages::ofBook, new Book(page(List.of(7)), page(List.of(page(List.of("s"))))),
            "00000001 00000007 00000000 00000001 00000001 00000001 73000000 00000000 00000000")
        .bad(1, "00000001 00000001 ff000000 00000000", "not UTF-8")
        .bad(2, "40000000 00000000", "does not fit")
        .bad(4, "00000001 00000003 61626300 00000000", "exceeds its bound of 2")
        .bad(5, "00000001 00000002 00000000 00000000", "must be 0 or 1")
        .bad(6, "00000000 00000004 00000001 00000002 00000003 00000004 00000000", "exceeds its bound of 3");
  }

  @Test
  void componentsAreNamed() {
    assertThatThrownBy(() -> onVertx.await(() -> program.ofStrings(page(Arrays.asList((String) null)))))
        .isInstanceOf(NullPointerException.class).hasMessage("an element of Page.items must not be null");
    assertThatThrownBy(() -> onVertx.await(() -> program.ofShort(page(List.of("abc")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an element of Page.items has a length of 3, which exceeds its bound of 2");
  }
}
