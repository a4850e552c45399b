// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.protocol.explore;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;

/**
 * A hash over all that an object can reach, the same for graphs of the same shape with the same values.
 * Numbers that only ever grow, and are compared with nothing else, are left out: they would make each state
 * another one.
 */
final class StateHash {

  /** By class and name: statistics, ids of operations that only have to differ, and what waits to be used. */
  private static final Set<String> LEFT_OUT = Set.of("Counters", "ReadQueue.lastId", "ReadQueue.done",
      "Exposures.lastId", "Exposed.id", "ChannelMachine.replays", "XidSlots.oldest",
      "KeepAlive.lastHeard", "KeepAlive.lastMessage", "ChannelMachine.spare", "ChannelMachine.spares",
      "HeadTemplates.templates");

  private static final Map<Class<?>, Field[]> FIELDS = new HashMap<>();

  private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();
  private long first = 0x9E3779B97F4A7C15L;
  private long second = 0xC2B2AE3D27D4EB4FL;

  /** Two numbers that together are unlikely to be those of another state. */
  record Value(long first, long second) {}

  static Value of(Object root) {
    StateHash hash = new StateHash();
    hash.add(root);
    return new Value(hash.first, hash.second);
  }

  private void mix(long value) {
    first = (first ^ value) * 0xff51afd7ed558ccdL;
    first ^= first >>> 32;
    second = (second + value) * 0xc4ceb9fe1a85ec53L;
    second ^= second >>> 29;
  }

  private void add(Object object) {
    if (object == null) {
      mix(1);
    } else if (object instanceof Number number) {
      mix(number.longValue());
    } else if (object instanceof Boolean value) {
      mix(value ? 2 : 3);
    } else if (object instanceof String || object instanceof Enum<?>) {
      mix(object.toString().hashCode());
    } else if (object instanceof Random || object instanceof Class<?>) {
      mix(4);
    } else {
      addOnce(object);
    }
  }

  private void addOnce(Object object) {
    Integer known = seen.putIfAbsent(object, seen.size());
    if (known != null) {
      mix(known);
      return;
    }
    if (object instanceof byte[] bytes) {
      bytes(ByteBuffer.wrap(bytes));
    } else if (object instanceof int[] ints) {
      for (int value : ints) {
        mix(value);
      }
    } else if (object instanceof long[] longs) {
      for (long value : longs) {
        mix(value);
      }
    } else if (object instanceof Object[] objects) {
      for (Object element : objects) {
        add(element);
      }
    } else if (object instanceof ByteBuffer buffer) {
      mix(buffer.position());
      bytes(buffer.duplicate().clear());
    } else if (object instanceof Optional<?> optional) {
      add(optional.orElse(null));
    } else if (object instanceof OptionalInt optional) {
      mix(optional.orElse(-7));
    } else if (object instanceof Collection<?> elements) {
      mix(elements.size());
      elements.forEach(this::add);
    } else if (object instanceof Map<?, ?> map) {
      mix(map.size());
      map.forEach((key, value) -> {
        add(key);
        add(value);
      });
    } else {
      fields(object);
    }
  }

  private void bytes(ByteBuffer bytes) {
    mix(bytes.remaining());
    while (bytes.remaining() >= Long.BYTES) {
      mix(bytes.getLong());
    }
    while (bytes.hasRemaining()) {
      mix(bytes.get());
    }
  }

  private void fields(Object object) {
    mix(object.getClass().getName().hashCode());
    for (Field field : FIELDS.computeIfAbsent(object.getClass(), StateHash::fieldsOf)) {
      try {
        add(field.get(object));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static Field[] fieldsOf(Class<?> type) {
    List<Field> all = new ArrayList<>();
    for (Class<?> at = type; at != Object.class && at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        boolean leftOut = LEFT_OUT.contains(at.getSimpleName())
            || LEFT_OUT.contains(at.getSimpleName() + "." + field.getName());
        if (!Modifier.isStatic(field.getModifiers()) && !leftOut) {
          field.setAccessible(true);
          all.add(field);
        }
      }
    }
    return all.toArray(Field[]::new);
  }
}
