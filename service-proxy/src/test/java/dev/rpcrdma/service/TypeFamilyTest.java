// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rpcrdma.api.RpcDecodingException;
import dev.rpcrdma.api.ServiceBinding;
import dev.rpcrdma.protocol.xdr.XdrException;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What holds for all types: they cross in the form that the manual says, and whatever else a peer sends is
 * refused, before anything is allocated for it.
 *
 * @param <S> the program whose procedures give back what they get
 */
abstract class TypeFamilyTest<S> {

  /** Less than any of the counts, more than what loading classes takes. */
  private static final int FEW_BYTES = 1024 * 1024;

  final OnVertx onVertx = new OnVertx();
  final ServiceBinding<S> binding;
  final LoopbackCaller caller;
  final S program;
  private final TypeFamily<S> family;
  private final RawCalls calls;

  TypeFamilyTest(Class<S> type, TypeFamily<S> family) {
    this.binding = ServiceBinding.of(type);
    this.family = family;
    S service = type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
        (proxy, method, arguments) -> Future.succeededFuture(arguments[0])));
    this.caller = new LoopbackCaller(onVertx.vertx(), binding.service(service), false);
    this.program = caller.proxy(type);
    this.calls = RawCalls.to(binding, service);
  }

  @AfterEach
  void close() throws Exception {
    onVertx.close();
  }

  @TestFactory
  Stream<DynamicTest> crossInTheirWireForm() {
    return family.samples().stream().map(sample -> DynamicTest.dynamicTest(sample.toString(), () -> {
      assertThat(onVertx.await(() -> sample.call().apply(program))).isEqualTo(sample.value());
      assertThat(Samples.hex(caller.lastCall())).as("call").isEqualTo(sample.hex());
      assertThat(Samples.hex(caller.lastReply())).as("reply").isEqualTo("00000000 " + sample.hex());
    }));
  }

  @TestFactory
  Stream<DynamicTest> otherLengthsAreRefused() {
    return family.samples().stream().map(sample -> DynamicTest.dynamicTest(sample.toString(), () -> {
      byte[] bytes = sample.bytes();
      for (int length = 0; length < bytes.length; length++) {
        assertRefused(sample.procedure(), Arrays.copyOf(bytes, length));
      }
      assertRefused(sample.procedure(), Arrays.copyOf(bytes, bytes.length + 1));
      assertRefused(sample.procedure(), Arrays.copyOf(bytes, bytes.length + 4));
    }));
  }

  @TestFactory
  Stream<DynamicTest> hugeCountsAllocateNothing() {
    return family.samples().stream().map(sample -> DynamicTest.dynamicTest(sample.toString(), () -> {
      for (int offset = 0; offset < sample.bytes().length; offset += 4) {
        for (int word : new int[] {0x40000000, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff}) {
          byte[] bytes = sample.bytes();
          ByteBuffer.wrap(bytes).putInt(offset, word);
          assertThat(calls.allocatedByRefusal(sample.procedure(), bytes))
              .as("%08x at %d", word, offset).isLessThan(FEW_BYTES);
        }
      }
    }));
  }

  @TestFactory
  Stream<DynamicTest> badValuesAreRefusedOnBothSides() {
    return family.bad().stream().map(bad -> DynamicTest.dynamicTest(bad.toString(), () -> {
      assertThatThrownBy(() -> calls.serve(bad.procedure(), bad.bytes()))
          .isInstanceOf(XdrException.class).hasMessageContaining(bad.message());
      S canned = new CannedCaller(HexFormat.of().parseHex("00000000" + bad.hex().replace(" ", "")))
          .proxy(binding.type());
      TypeFamily.Sample<S> sample = family.samples().stream()
          .filter(s -> s.procedure() == bad.procedure()).findFirst().orElseThrow();
      assertThat(sample.call().apply(canned).cause()).isInstanceOf(RpcDecodingException.class)
          .cause().isInstanceOf(XdrException.class).hasMessageContaining(bad.message());
    }));
  }

  @Test
  void programsAreDescribed() throws IOException {
    String name = "/golden/" + binding.type().getSimpleName() + ".x";
    try (InputStream in = TypeFamilyTest.class.getResourceAsStream(name)) {
      assertThat(binding.interfaceDefinition())
          .isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private void assertRefused(int procedure, byte[] arguments) {
    assertThatThrownBy(() -> calls.serve(procedure, arguments)).isInstanceOf(XdrException.class);
  }
}
