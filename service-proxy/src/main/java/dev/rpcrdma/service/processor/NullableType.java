package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * What may be null: optional-data.
 *
 * @param content the type of what is not null
 */
record NullableType(WireType content) implements WireType {

  @Override
  public TypeName javaType() {
    return content.javaType();
  }

  @Override
  public int least() {
    return 4;
  }

  @Override
  public long most() {
    return WireType.sum(4, content.most());
  }

  @Override
  public CodeBlock write(Names names, CodeBlock value, String what) {
    String name = names.fresh("content");
    return CodeBlock.of("$L.nullable($L,$W$L -> $L)", names.writer(), value, name,
        content.write(names, CodeBlock.of("$L", name), what));
  }

  @Override
  public CodeBlock read(Names names) {
    return CodeBlock.of("$L.nullable(() -> $L)", names.reader(), content.read(names));
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return content.specifier(text) + " *" + identifier;
  }

  @Override
  public String xdrName(XdrText text) {
    return content.xdrName(text) + "_optional";
  }
}
