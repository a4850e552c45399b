// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.rpcrdma.protocol.xdr.XdrException;
import dev.rpcrdma.protocol.xdr.XdrReader;
import dev.rpcrdma.protocol.xdr.XdrWriter;
import dev.rpcrdma.service.fixture.Tree;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever chooses the hash codes of what is sent does not choose how much work its reader has. */
class CollisionsTest {

  private static final int MANY = 8192;

  private static long compared;
  private static long hashed;

  /** Has the hash code of a generated record, and counts. */
  private record Key(int a, int b) {

    @Override
    public boolean equals(Object other) {
      compared++;
      return other instanceof Key key && key.a == a && key.b == b;
    }

    @Override
    public int hashCode() {
      hashed++;
      return 31 * a + b;
    }

    /** The i-th of those with one hash code. */
    static Key colliding(int i) {
      return new Key(i, -31 * i);
    }
  }

  @BeforeEach
  void count() {
    compared = 0;
    hashed = 0;
  }

  private static ValueReader reader(Consumer<XdrWriter> message) {
    XdrWriter writer = new XdrWriter();
    message.accept(writer);
    return ValueReader.ofArguments(new XdrReader(ByteBuffer.wrap(writer.toByteArray())));
  }

  private static void write(XdrWriter writer, Key key) {
    writer.int32(key.a).int32(key.b);
  }

  private static Key key(ValueReader reader) {
    return new Key(reader.int32(), reader.int32());
  }

  private static Set<Key> keys(ValueReader reader) {
    return HashCollections.readSet(reader, Integer.MAX_VALUE, 8, () -> key(reader));
  }

  private static Map<Key, Boolean> map(ValueReader reader) {
    return HashCollections.readMap(reader, Integer.MAX_VALUE, 12, () -> key(reader), reader::bool);
  }

  private static ValueReader setOf(Iterable<Key> keys, int count) {
    return reader(writer -> {
      writer.int32(count);
      keys.forEach(key -> write(writer, key));
    });
  }

  @Test
  void elementsWithOneHashCodeAreRefused() {
    List<Key> keys = IntStream.range(0, MANY).mapToObj(Key::colliding).toList();
    assertThatThrownBy(() -> keys(setOf(keys, MANY))).isInstanceOf(XdrException.class)
        .hasMessageContaining("hash code");
    assertThat(compared).isLessThan(MANY);
    assertThat(hashed).isLessThanOrEqualTo(2 * MANY);
  }

  @Test
  void keysWithOneHashCodeAreRefused() {
    assertThatThrownBy(() -> map(reader(writer -> {
      writer.int32(MANY);
      IntStream.range(0, MANY).forEach(i -> {
        write(writer, Key.colliding(i));
        writer.bool(true);
      });
    }))).isInstanceOf(XdrException.class).hasMessageContaining("hash code");
    assertThat(compared).isLessThan(MANY);
  }

  @Test
  void someWithOneHashCodeAreNot() {
    // Each of 32 hash codes 256 times.
    List<Key> keys = IntStream.range(0, MANY)
        .mapToObj(i -> new Key(i % 256, i / 256 - 31 * (i % 256))).toList();
    assertThat(keys(setOf(keys, MANY))).containsExactlyElementsOf(keys);
    compared = 0;
    keys(setOf(keys, MANY));
    assertThat(compared).isBetween(1L, 256L * MANY);
    assertThatThrownBy(() -> keys(setOf(IntStream.rangeClosed(0, 256).mapToObj(Key::colliding)
        .toList(), 257))).isInstanceOf(XdrException.class);
  }

  /** All elements of one set of sets are equal in hash code, and all of their elements as well. */
  @Test
  void setsOfSetsDoNotMultiply() {
    int sets = 128;
    int size = 128;
    ValueReader reader = reader(writer -> {
      writer.int32(sets);
      for (int i = 0; i < sets; i++) {
        writer.int32(size);
        for (int j = 0; j < size; j++) {
          write(writer, Key.colliding(i * size + j));
        }
      }
    });
    assertThatThrownBy(() -> HashCollections.readSet(reader, Integer.MAX_VALUE, 4, () -> keys(reader)))
        .isInstanceOf(XdrException.class).hasMessageContaining("hash code");
    assertThat(compared).isLessThanOrEqualTo(256L * sets * size);
  }

  @Test
  void theHeaviestPartOfAnElementCounts() {
    ValueReader reader = reader(writer -> {
      writer.int32(2);
      for (int i = 0; i < 2; i++) {
        writer.int32(2).int32(200);
        for (int j = 0; j < 200; j++) {
          write(writer, Key.colliding(i * 200 + j));
        }
        writer.int32(0);
      }
    });
    assertThatThrownBy(() -> HashCollections.readSet(reader, Integer.MAX_VALUE, 4,
        () -> reader.list(Integer.MAX_VALUE, 4, () -> keys(reader))))
        .isInstanceOf(XdrException.class).hasMessageContaining("hash code");
  }

  /** Fails if {@code HashCollections.readMap} forgets what was read before the map. */
  @Test
  void theHeaviestMapOfAnElementCounts() {
    ValueReader reader = reader(writer -> {
      writer.int32(2);
      for (int i = 0; i < 2; i++) {
        writer.int32(2).int32(200);
        for (int j = 0; j < 200; j++) {
          write(writer, Key.colliding(i * 200 + j));
          writer.bool(true);
        }
        writer.int32(0);
      }
    });
    assertThatThrownBy(() -> HashCollections.readSet(reader, Integer.MAX_VALUE, 4,
        () -> reader.list(Integer.MAX_VALUE, 4, () -> map(reader))))
        .isInstanceOf(XdrException.class).hasMessageContaining("hash code");
  }

  /** Fails if {@code HashCollections.readMap} weighs keys alone, or a map as its heaviest value. */
  @Test
  void aMapWeighsMoreThanItsHeaviestValue() {
    assertThat(mapsOfSets(126)).hasSize(2);
    assertThatThrownBy(() -> mapsOfSets(127)).isInstanceOf(XdrException.class).hasMessageContaining("hash code");
  }

  /** Reads two maps with one hash code, each of one key and one set of keys that collide. */
  private static Set<Map<Key, Set<Key>>> mapsOfSets(int size) {
    ValueReader reader = reader(writer -> {
      writer.int32(2);
      for (int i = 0; i < 2; i++) {
        writer.int32(1);
        write(writer, Key.colliding(i));
        writer.int32(size);
        IntStream.range(0, size).forEach(j -> write(writer, Key.colliding(j)));
      }
    });
    return HashCollections.readSet(reader, Integer.MAX_VALUE, 4,
        () -> HashCollections.readMap(reader, Integer.MAX_VALUE, 12, () -> key(reader), () -> keys(reader)));
  }

  @Test
  void setsInMapsAreNoKeys() {
    ValueReader reader = reader(writer -> {
      writer.int32(2);
      for (int i = 0; i < 2; i++) {
        write(writer, Key.colliding(i));
        writer.int32(256);
        IntStream.range(0, 256).forEach(j -> write(writer, Key.colliding(j)));
      }
    });
    Map<Key, Set<Key>> read =
        HashCollections.readMap(reader, Integer.MAX_VALUE, 12, () -> key(reader), () -> keys(reader));
    assertThat(read).hasSize(2).allSatisfy((key, set) -> assertThat(set).hasSize(256));
  }

  /** The hash code of a set is that of all its elements, and so on downwards. */
  @Test
  void depthCounts() {
    assertThat(read(200, 1)).hasSize(1);
    hashed = 0;
    read(200, 1);
    assertThat(hashed).isLessThanOrEqualTo(2 * 200);
    assertThatThrownBy(() -> read(200, 2)).isInstanceOf(XdrException.class)
        .hasMessageContaining("hash code");
  }

  /** Reads some that nest deeply, with one hash code. */
  private Set<Object> read(int depth, int count) {
    ValueReader reader = reader(writer -> {
      writer.int32(count);
      for (int i = 0; i < count; i++) {
        IntStream.range(0, depth).forEach(level -> writer.int32(1));
        write(writer, Key.colliding(i));
      }
    });
    return HashCollections.readSet(reader, Integer.MAX_VALUE, 4, () -> nested(reader, depth));
  }

  private static Object nested(ValueReader reader, int depth) {
    return depth == 0 ? key(reader)
        : HashCollections.readSet(reader, Integer.MAX_VALUE, 4, () -> nested(reader, depth - 1));
  }

  @Test
  void whatHasAnOrderMayCollide() {
    // Each of two bytes that add to the same: 2^12 texts of 24 characters.
    List<String> texts = IntStream.range(0, 4096).mapToObj(i -> {
      StringBuilder text = new StringBuilder();
      IntStream.range(0, 12).forEach(bit -> text.append((i >> bit & 1) == 0 ? "Aa" : "BB"));
      return text.toString();
    }).toList();
    assertThat(texts.stream().map(String::hashCode).distinct()).hasSize(1);
    ValueReader ofTexts = reader(writer -> {
      writer.int32(texts.size());
      texts.forEach(writer::string);
    });
    assertThat(HashCollections.readSet(ofTexts, Integer.MAX_VALUE, 4, () -> ofTexts.string(99)))
        .containsExactlyElementsOf(texts);
    List<Long> numbers = IntStream.range(0, 4096).mapToObj(i -> (long) i << 32 | i).toList();
    assertThat(numbers.stream().map(Object::hashCode).distinct()).hasSize(1);
    ValueReader ofNumbers = reader(writer -> {
      writer.int32(numbers.size());
      numbers.forEach(writer::int64);
    });
    assertThat(HashCollections.readSet(ofNumbers, Integer.MAX_VALUE, 8, ofNumbers::int64))
        .containsExactlyElementsOf(numbers);
  }

  /** The JDK asks for no more and no less than this before it orders colliding keys. */
  @Test
  void whatIsOrderedIsComparableToItself() {
    assertThat(Collisions.ORDERED).allSatisfy(type -> assertThat(type.getGenericInterfaces())
        .extracting(Object::toString).contains("java.lang.Comparable<" + type.getName() + ">"));
  }

  /** Decimals that compare as equal need not be: the JDK searches them one by one. */
  @Test
  void decimalsMayNotCollide() {
    // 31 times the unscaled value and the scale add to the same.
    ValueReader reader = reader(writer -> {
      writer.int32(257);
      IntStream.range(0, 257).forEach(i -> writer.opaque(new byte[] {(byte) (i >> 8), (byte) i}).int32(-31 * i));
    });
    assertThatThrownBy(() -> HashCollections.readSet(reader, Integer.MAX_VALUE, 8,
        () -> BigNumbers.readBigDecimal(reader)))
        .isInstanceOf(XdrException.class).hasMessageContaining("hash code");
  }

  /** Two sets of one hash code are compared: each of 2^16 keys is looked for among as many. */
  @Test
  void sortedSetsWeighAsMuchAsTheirTreesAreHigh() {
    assertThat(Collisions.sortedWeight(0, 0)).isZero();
    assertThat(Collisions.sortedWeight(1, 0)).isEqualTo(1);
    assertThat(Collisions.sortedWeight(1 << 16, 2)).isEqualTo(17 * 3);
    assertThat(Collisions.sortedWeight(1 << 30, Collisions.sortedWeight(1 << 30, 1 << 30))).isEqualTo(1 << 30);
    int sets = 17;
    int size = 1 << 15;
    ValueReader reader = reader(writer -> {
      writer.int32(sets);
      for (int i = 0; i < sets; i++) {
        writer.int32(size);
        IntStream.range(0, size).forEach(writer::int32);
      }
    });
    assertThatThrownBy(() -> HashCollections.readSet(reader, Integer.MAX_VALUE, 4,
        () -> SortedCollections.readSet(reader, Integer.MAX_VALUE, 4, reader::int32)))
        .isInstanceOf(XdrException.class).hasMessageContaining("hash code");
  }

  @Test
  void sortedMapsWeighAsWell() {
    ValueReader reader = reader(writer -> {
      writer.int32(17);
      for (int i = 0; i < 17; i++) {
        writer.int32(1 << 15);
        IntStream.range(0, 1 << 15).forEach(key -> writer.int32(key).int32(0));
      }
    });
    assertThatThrownBy(() -> HashCollections.readSet(reader, Integer.MAX_VALUE, 4,
        () -> SortedCollections.readMap(reader, Integer.MAX_VALUE, 8, reader::int32, reader::int32)))
        .isInstanceOf(XdrException.class).hasMessageContaining("hash code");
  }

  /** A list has no more room than what was read, though each level may ask for all that is left. */
  @Test
  void nestedListsDoNotEachReserveTheRest() {
    int words = 1 << 20;
    ByteBuffer message = ByteBuffer.allocate(4 * words);
    // Each level: an empty name, and children that fill all of the message.
    for (int level = 0; level < 200; level++) {
      message.putInt(0).putInt((message.remaining() - 8) / 12);
    }
    message.putInt(-1).rewind();
    ValueReader reader = ValueReader.ofArguments(new XdrReader(message));
    long before = allocated();
    assertThatThrownBy(() -> tree(reader)).isInstanceOf(XdrException.class);
    assertThat(allocated() - before).as("what stack traces take included").isLessThan(16 * words);
  }

  private static Tree tree(ValueReader reader) {
    return reader.nested(() -> new Tree(reader.string(Integer.MAX_VALUE),
        reader.list(Integer.MAX_VALUE, 12, () -> tree(reader)),
        reader.optional(() -> tree(reader))));
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  /** Fails if {@code Collisions.colliding} does not sort, or {@code weight} has a bound for what does not collide. */
  @Test
  void collidingKeysCountWhereverTheyStand() {
    List<Key> mixed = IntStream.range(0, 2 * Collisions.MAX)
        .mapToObj(i -> i % 2 == 0 ? Key.colliding(i) : new Key(0, i)).toList();
    assertThat(Collisions.weight(mixed, 0)).isEqualTo(Collisions.MAX);
    assertThat(Collisions.weight(List.of("alone"), 300)).as("of what nothing collides with").isEqualTo(301);
    List<Key> more = IntStream.range(0, 2 * Collisions.MAX + 1)
        .mapToObj(i -> i % 2 == 0 ? Key.colliding(i) : new Key(0, i)).toList();
    assertThatThrownBy(() -> Collisions.weight(more, 0)).isInstanceOf(XdrException.class)
        .hasMessage("257 elements of a set, or keys of a map, have one hash code");
  }
}
