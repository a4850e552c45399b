// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.api;

import dev.rpcrdma.protocol.binding.UpperLayerBinding;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Joins a Java interface to a version of an ONC RPC program. One is generated beside each annotated
 * interface; its class has the interface's binary name with {@code RpcBinding} behind it, and a
 * public constructor without arguments.
 *
 * @param <S> the Java interface
 */
public interface ServiceBinding<S> {

  /** What is appended to an interface's name to get the name of its binding. */
  String SUFFIX = "RpcBinding";

  /**
   * The Java interface.
   *
   * @return its class
   */
  Class<S> type();

  /**
   * Number, version and rules of the program.
   *
   * @return the binding
   */
  UpperLayerBinding upperLayerBinding();

  /**
   * The interface that the server calls back, over the same connection.
   *
   * @return its class, if the program has one
   */
  Optional<Class<?>> callback();

  /**
   * The program in the RPC language (RFC 5531 §12), for peers in other languages.
   *
   * @return the text of an {@code .x} file
   */
  String interfaceDefinition();

  /**
   * The requester's side.
   *
   * @param caller carries the calls
   * @param options for each call
   * @return a proxy
   */
  S proxy(RpcCaller caller, CallOptions options);

  /**
   * The responder's side.
   *
   * @param implementation is called for each incoming call
   * @return the service to bind
   */
  RpcService service(S implementation);

  /**
   * Finds the binding of an interface.
   *
   * @param type an annotated interface
   * @param <S> the interface
   * @return its binding
   * @throws IllegalArgumentException if it has none, with what to do about it
   */
  static <S> ServiceBinding<S> of(Class<S> type) {
    String name = type.getName() + SUFFIX;
    try {
      @SuppressWarnings("unchecked") // checked by type() below
      ServiceBinding<S> binding = (ServiceBinding<S>) Class.forName(name, true,
          type.getClassLoader()).getConstructor().newInstance();
      if (binding.type() != type) {
        throw new IllegalArgumentException(name + " is the binding of " + binding.type());
      }
      return binding;
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("No class " + name + ": " + (isEventBusService(type)
          ? "give the service of the event bus its numbers, by a resource META-INF/rpcrdma/" + type.getName()
              + ".numbers with the line \"program <number> version <number>\" (the compiler says what to append), and"
              + " put vertx-rpcrdma-processor on the annotation processor path, before the processors of Vert.x"
          : "annotate " + type.getSimpleName() + " with @RpcProgram, and put vertx-rpcrdma-processor on the annotation"
              + " processor path"), e);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("Package " + type.getPackageName()
          + " must be exported by its module, so that " + name + " can be used", e);
    } catch (NoSuchMethodException | InstantiationException | InvocationTargetException e) {
      throw new IllegalArgumentException(name + " cannot be created", e);
    }
  }

  private static boolean isEventBusService(Class<?> type) {
    return Arrays.stream(type.getAnnotations())
        .anyMatch(annotation -> annotation.annotationType().getSimpleName().equals("ProxyGen"));
  }
}
