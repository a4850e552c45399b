// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api.impl.verticle;

import dev.rpcrdma.verbs.options.JsonChecks;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;

/** Classes that a configuration names. */
public final class ConfiguredClass {

  private ConfiguredClass() {}

  /**
   * Loads the class that a key names.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Class<?> load(JsonObject json, String key) {
    String name = JsonChecks.value(json, key, String.class, "the name of a class");
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return Class.forName(name, true, loader == null ? ConfiguredClass.class.getClassLoader() : loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(key + " is the name of a class, and there is none with the name " + name, e);
    }
  }

  /**
   * Makes an object of a class.
   *
   * @param vertx given to its constructor, if that wants one
   * @throws IllegalArgumentException if it cannot be made
   */
  static Object make(Class<?> type, Vertx vertx) {
    try {
      for (Constructor<?> constructor : type.getConstructors()) {
        if (List.of(constructor.getParameterTypes()).equals(List.of(Vertx.class))) {
          return constructor.newInstance(vertx);
        }
      }
      return type.getConstructor().newInstance();
    } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made: it needs to be public, with a public"
          + " constructor that takes a Vertx or nothing", e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(type.getName() + " cannot be made: " + e.getCause(), e.getCause());
    }
  }
}
