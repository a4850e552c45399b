package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A type of fixed size.
 *
 * @param javaType the type
 * @param writer the method that writes it
 * @param reader the method that reads it
 * @param least its size
 * @param specifier its name in the XDR language
 * @param nullRefused whether the method that writes it takes a name and refuses null itself
 */
record ScalarType(TypeName javaType, String writer, String reader, int least, String specifier,
    boolean nullRefused) implements WireType {

  @Override
  public long most() {
    return least;
  }

  @Override
  public CodeBlock write(Names names, CodeBlock value, String what) {
    if (nullRefused) {
      return CodeBlock.of("$L.$L($L, $S)", names.writer(), writer, value, what);
    }
    CodeBlock present = javaType.isPrimitive() ? value
        : CodeBlock.of("$L.present($L, $S)", names.writer(), value, what);
    return CodeBlock.of("$L.$L($L)", names.writer(), writer, present);
  }

  @Override
  public CodeBlock read(Names names) {
    return CodeBlock.of("$L.$L()", names.reader(), reader);
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return specifier(text) + " " + identifier;
  }

  @Override
  public String specifier(XdrText text) {
    if (nullRefused) {
      text.define(specifier, () -> "struct " + specifier
          + " {\n  hyper seconds;\n  unsigned int nanoseconds;\n};");
    }
    return specifier;
  }

  @Override
  public String xdrName(XdrText text) {
    return specifier.replace(' ', '_');
  }
}
