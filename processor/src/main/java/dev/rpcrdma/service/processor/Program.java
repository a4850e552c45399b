// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.TypeElement;

/**
 * An annotated interface, checked.
 *
 * @param element the interface
 * @param number the program's number
 * @param version its version
 * @param port its port, or 0
 * @param callback the interface that the server calls back
 * @param failures how failures cross
 * @param interfaces its own interface, and behind it those of the objects that its calls make; these only where the
 *     program is a service of the event bus
 * @param coded the types that it uses and that have methods of their own
 */
record Program(TypeElement element, int number, int version, int port,
    Optional<TypeName> callback, FailureForm failures, List<ServiceInterface> interfaces,
    Collection<CodedType> coded) {

  /** All procedures by number. */
  List<Procedure> procedures() {
    return interfaces.stream().flatMap(each -> each.procedures().stream())
        .sorted(Procedure.BY_NUMBER).toList();
  }

  /** Whether calls make objects. */
  boolean hasObjects() {
    return interfaces.size() > 1;
  }

  /** Whether failures are a part of the results. */
  boolean union() {
    return failures != FailureForm.NONE;
  }

  /** The interface as a type. */
  ClassName type() {
    return ClassName.get(element);
  }

  /** The interface's name. */
  String name() {
    return element.getSimpleName().toString();
  }

  /** A generated class beside the interface. */
  static ClassName generated(TypeElement element, String suffix) {
    ClassName type = ClassName.get(element);
    return ClassName.get(type.packageName(), String.join("$", type.simpleNames()) + suffix);
  }

  ClassName proxy() {
    return generated(element, "RpcProxy");
  }

  ClassName handler() {
    return generated(element, "RpcHandler");
  }

  ClassName binding() {
    return generated(element, "RpcBinding");
  }

  ClassName codecs() {
    return generated(element, "RpcCodecs");
  }
}
