// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import dev.rpcrdma.service.fixture.Chosen;
import dev.rpcrdma.service.fixture.Chosen.Count;
import dev.rpcrdma.service.fixture.Chosen.Money;
import dev.rpcrdma.service.fixture.Chosen.Names;
import dev.rpcrdma.service.fixture.Chosen.Two;
import java.util.Collection;
import java.util.List;

/** Records are made by their canonical constructor. Fails if {@code StructType.readBody} leaves the casts out. */
class ChosenTest extends TypeFamilyTest<Chosen> {

  ChosenTest() {
    super(Chosen.class, family());
  }

  private static TypeFamily<Chosen> family() {
    Collection<String> names = List.of("a", "b");
    return new TypeFamily<Chosen>()
        .good(1, Chosen::ofMoney, new Money(Long.valueOf(5)), "00000000 00000005")
        .good(2, Chosen::ofCount, new Count(5), "00000005")
        .good(3, Chosen::ofNames, new Names(names), "00000002 00000001 61000000 00000001 62000000")
        .good(4, Chosen::ofTwo, new Two<>(1L, 2L), "00000000 00000001 00000000 00000002");
  }
}
