package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.util.List;
import javax.lang.model.element.TypeElement;

/**
 * A record. It gets its components after it was made, because they may refer to it.
 */
final class StructType implements WireType {

  /**
   * A component of the record.
   *
   * @param name its name
   * @param type its type
   */
  record Component(String name, WireType type) {}

  private final TypeElement element;
  private final ClassName codecs;
  private final String codecName;
  private List<Component> components = List.of();
  private boolean recursive;
  private boolean measuring;

  /**
   * Creates a struct without components.
   *
   * @param element the record
   * @param codecs the class that gets methods for it
   * @param codecName its name in their names
   */
  StructType(TypeElement element, ClassName codecs, String codecName) {
    this.element = element;
    this.codecs = codecs;
    this.codecName = codecName;
  }

  void components(List<Component> value) {
    this.components = List.copyOf(value);
  }

  List<Component> components() {
    return components;
  }

  /** Notes that a value can hold another of this type. */
  void recursive() {
    this.recursive = true;
  }

  boolean isRecursive() {
    return recursive;
  }

  TypeElement element() {
    return element;
  }

  String codecName() {
    return codecName;
  }

  @Override
  public ClassName javaType() {
    return ClassName.get(element);
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
  public CodeBlock write(Names names, CodeBlock value, String what) {
    return CodeBlock.of("$T.write$L($L, $L.present($L, $S))", codecs, codecName, names.writer(),
        names.writer(), value, what);
  }

  @Override
  public CodeBlock read(Names names) {
    return CodeBlock.of("$T.read$L($L)", codecs, codecName, names.reader());
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return specifier(text) + " " + identifier;
  }

  @Override
  public String specifier(XdrText text) {
    String name = text.typeName(javaType());
    text.define(name, () -> text.struct(name, components));
    return name;
  }

  @Override
  public String xdrName(XdrText text) {
    return text.typeName(javaType());
  }
}
