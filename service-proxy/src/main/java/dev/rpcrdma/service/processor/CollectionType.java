package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A list or a set.
 *
 * @param javaType the type
 * @param reader the method that reads it
 * @param element the type of elements
 * @param max the bound of their count
 */
record CollectionType(TypeName javaType, String reader, WireType element, int max)
    implements WireType {

  @Override
  public int least() {
    return 4;
  }

  @Override
  public long most() {
    return WireType.array(max, element.most());
  }

  @Override
  public CodeBlock write(Names names, CodeBlock value, String what) {
    String name = names.fresh("element");
    return CodeBlock.of("$L.collection($L, $L, $S,$W$L -> $L)", names.writer(), value,
        SequenceType.bound(max), what, name,
        element.write(names, CodeBlock.of("$L", name), "an element of " + what));
  }

  @Override
  public CodeBlock read(Names names) {
    return CodeBlock.of("$L.$L($L, $L,$W() -> $L)", names.reader(), reader,
        SequenceType.bound(max), element.least(), element.read(names));
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    return element.specifier(text) + " " + identifier + XdrText.bound(max);
  }

  @Override
  public String xdrName(XdrText text) {
    return element.xdrName(text) + "_list" + XdrText.boundName(max);
  }
}
