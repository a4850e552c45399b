// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/**
 * A record, or an instantiation of a generic one. It gets its components after it was made, because they may refer
 * to it.
 */
final class StructType extends CodedType {

  /**
   * A component of the record.
   *
   * @param name its name
   * @param type its type
   */
  record Component(String name, WireType type) {}

  private final TypeName made;
  private final List<WireType> arguments;
  private List<Component> components = List.of();
  private boolean measuring;

  /**
   * Creates a struct without components.
   *
   * @param element the record
   * @param javaType its type
   * @param made the type of its objects, which has no wildcards
   * @param arguments the types that its type parameters stand for
   * @param codecs the class that gets methods for it
   * @param codecName its name in their names
   */
  StructType(TypeElement element, TypeName javaType, TypeName made, List<WireType> arguments,
      ClassName codecs, String codecName) {
    super(element, javaType, codecs, codecName);
    this.made = made;
    this.arguments = arguments;
  }

  void components(List<Component> value) {
    this.components = List.copyOf(value);
  }

  List<Component> components() {
    return components;
  }

  @Override
  public int least() {
    return components.stream().mapToInt(c -> c.type().least()).sum();
  }

  @Override
  public long most() {
    if (measuring) {
      return UNBOUNDED;
    }
    measuring = true;
    long sum = components.stream().mapToLong(c -> c.type().most()).reduce(0, WireType::sum);
    measuring = false;
    return sum;
  }

  @Override
  CodeBlock writeBody(Scope names, String variable) {
    CodeBlock.Builder body = CodeBlock.builder();
    for (Component component : components) {
      body.addStatement(component.type().write(names, CodeBlock.of("$L.$L()", variable, component.name()),
          element().getSimpleName() + "." + component.name()));
    }
    return body.build();
  }

  @Override
  CodeBlock readBody(Scope names) {
    CodeBlock.Builder arguments = CodeBlock.builder();
    String separator = "";
    boolean overloaded = ElementFilter.constructorsIn(element().getEnclosedElements()).size() > 1;
    for (Component component : components) {
      arguments.add(separator).add("\n");
      if (overloaded) {
        // Only arguments of its very types choose the canonical constructor among others that would take them, too.
        arguments.add("($T) ", component.type().javaType());
      }
      arguments.add(component.type().read(names));
      separator = ",";
    }
    return CodeBlock.builder().addStatement("return new $T($L)", made, arguments.build()).build();
  }

  @Override
  Stream<CodedType> contained() {
    return components.stream().map(Component::type).filter(CodedType.class::isInstance).map(CodedType.class::cast);
  }

  @Override
  String definition(XdrText text, String name) {
    return text.struct(name, components);
  }

  @Override
  public String xdrName(XdrText text) {
    StringBuilder name = new StringBuilder(XdrNames.type(element().getSimpleName().toString()));
    arguments.forEach(argument -> name.append('_').append(argument.xdrName(text)));
    return text.typeName(this, name.toString());
  }
}
