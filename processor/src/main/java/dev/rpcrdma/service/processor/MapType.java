// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

/**
 * A map: an array of key and value.
 *
 * @param javaType the type
 * @param sorted whether it is in the order of its keys
 * @param key the type of keys
 * @param value the type of values
 * @param max the bound of the entries' count
 */
record MapType(TypeName javaType, boolean sorted, WireType key, WireType value, int max)
    implements WireType {

  @Override
  public int least() {
    return 4;
  }

  @Override
  public long most() {
    return WireType.array(max, WireType.sum(key.most(), value.most()));
  }

  @Override
  public CodeBlock write(Scope names, CodeBlock map, String what) {
    String k = names.fresh("key");
    String v = names.fresh("value");
    CodeBlock method = sorted ? CodeBlock.of("$T.writeMap($L, ", ClassNames.SORTED_COLLECTIONS, names.writer())
        : CodeBlock.of("$L.map(", names.writer());
    return CodeBlock.of("$L$L, $L, $S,$W$L -> $L,$W$L -> $L)", method, map, SequenceType.bound(max), what,
        k, key.write(names, CodeBlock.of("$L", k), "a key of " + what),
        v, value.write(names, CodeBlock.of("$L", v), "a value of " + what));
  }

  @Override
  public CodeBlock read(Scope names) {
    return CodeBlock.of("$T.readMap($L, $L, $L,$W() -> $L,$W() -> $L)",
        sorted ? ClassNames.SORTED_COLLECTIONS : ClassNames.HASH_COLLECTIONS, names.reader(),
        SequenceType.bound(max), key.least() + value.least(), key.read(names), value.read(names));
  }

  @Override
  public String declaration(XdrText text, String identifier) {
    String entry = entryName(text);
    text.define(entry, () -> "struct " + entry + " {\n  " + key.declaration(text, "key")
        + ";\n  " + value.declaration(text, "value") + ";\n};");
    return entry + " " + identifier + XdrText.bound(max);
  }

  @Override
  public String xdrName(XdrText text) {
    return key.xdrName(text) + "_" + value.xdrName(text) + "_map" + XdrText.boundName(max);
  }

  private String entryName(XdrText text) {
    return text.typeName(key.declaration(text, "key") + " " + value.declaration(text, "value"),
        key.xdrName(text) + "_" + value.xdrName(text) + "_entry");
  }
}
