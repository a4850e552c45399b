package dev.rpcrdma.service.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import java.util.List;

/**
 * An enum, which crosses as its ordinal.
 *
 * @param javaType the enum
 * @param constants its constants in order
 */
record EnumType(ClassName javaType, List<String> constants) implements WireType {

  @Override
  public int least() {
    return 4;
  }

  @Override
  public long most() {
    return 4;
  }

  @Override
  public CodeBlock write(Names names, CodeBlock value, String what) {
    return CodeBlock.of("$L.enumeration($L, $S)", names.writer(), value, what);
  }

  @Override
  public CodeBlock read(Names names) {
    return CodeBlock.of("$L.enumeration($T.values())", names.reader(), javaType);
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return specifier(text) + " " + identifier;
  }

  @Override
  public String specifier(XdrText text) {
    String name = text.typeName(javaType, javaType.simpleName());
    text.define(name, () -> {
      // Constants share one name space with everything else, hence the prefix (RFC 4506 §6.4).
      StringBuilder lines = new StringBuilder("enum " + name + " {\n");
      for (int i = 0; i < constants.size(); i++) {
        lines.append("  ").append(name).append('_').append(XdrText.identifier(constants.get(i)))
            .append(" = ").append(i).append(i < constants.size() - 1 ? ",\n" : "\n");
      }
      return lines + "};";
    });
    return name;
  }

  @Override
  public String xdrName(XdrText text) {
    return text.typeName(javaType, javaType.simpleName());
  }
}
