// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.service.processor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes a program in the RPC language (RFC 5531 §12.2), whose types are in the XDR language
 * (RFC 4506 §6). All names share one scope. An argument list becomes one struct, which has the
 * same wire form, because the language takes no {@code string<>} or {@code opaque<>} as a bare
 * argument.
 */
final class XdrText {

  private final Map<String, String> definitions = new LinkedHashMap<>();
  private final Map<Object, String> typeNames = new HashMap<>();
  private final Set<String> taken = new HashSet<>(LibraryStruct.names());

  private XdrText() {}

  /** The lines of an {@code .x} file. */
  static List<String> of(Program program) {
    return new XdrText().lines(program);
  }

  /** The bound of a declaration. */
  static String bound(int max) {
    return max == Integer.MAX_VALUE ? "<>" : "<" + max + ">";
  }

  /** The bound as part of a name. */
  static String boundName(int max) {
    return max == Integer.MAX_VALUE ? "" : "_" + max;
  }

  /**
   * The name of a type.
   *
   * @param type one that equals no other, or the declaration of a type that Java writes without a name
   * @param suggestion its name, unless another type has it
   */
  String typeName(Object type, String suggestion) {
    return typeNames.computeIfAbsent(type, t -> unique(suggestion));
  }

  /** The definition of an enum. */
  String enumeration(String name, Map<String, Integer> numbers) {
    // Constants share one name space with everything else, hence the prefix (RFC 4506 §6.4).
    return "enum " + name + " {\n" + numbers.entrySet().stream()
        .map(each -> "  " + unique(name + "_" + XdrNames.escaped(each.getKey())) + " = " + each.getValue())
        .collect(Collectors.joining(",\n")) + "\n};";
  }

  /** Adds a definition behind those it needs, unless it is there. */
  void define(String name, Supplier<String> text) {
    if (!definitions.containsKey(name)) {
      definitions.put(name, "");
      String definition = text.get();
      definitions.remove(name);
      definitions.put(name, definition);
    }
  }

  /** A struct definition. */
  String struct(String name, List<StructType.Component> components) {
    StringBuilder text = new StringBuilder("struct " + name + " {\n");
    for (StructType.Component component : components) {
      text.append("  ").append(component.type().declaration(this, XdrNames.member(component.name())))
          .append(';').append(placedComment(component.type())).append('\n');
    }
    return text + "};";
  }

  private List<String> lines(Program program) {
    String programName = unique(XdrNames.program(program.name()));
    String versionName = unique(programName + "_V" + Integer.toUnsignedString(program.version()));
    if (program.union()) {
      taken.add("failure");
    }
    Map<Procedure, String> names = new LinkedHashMap<>();
    program.procedures().forEach(p -> names.put(p, procedureName(p)));

    List<String> procedures = new ArrayList<>();
    procedures.add("    void " + unique(programName + "_NULL") + "(void) = 0;");
    names.forEach((procedure, name) -> {
      String arguments = arguments(procedure, name);
      // In capitals, because rpcgen makes macros of them: one called read would hide the function.
      procedures.add("    " + result(program, procedure, name) + " "
          + unique(programName + "_" + XdrNames.capitals(name)) + "(" + arguments + ") = "
          + Integer.toUnsignedString(procedure.number()) + ";");
    });

    List<String> lines = new ArrayList<>();
    lines.add("/* " + program.type().canonicalName() + " in the RPC language (RFC 5531). */");
    definitions.values().forEach(text -> {
      lines.add("");
      lines.addAll(List.of(text.split("\n")));
    });
    lines.add("");
    lines.add("program " + programName + " {");
    lines.add("  version " + versionName + " {");
    lines.addAll(procedures);
    lines.add("  } = " + Integer.toUnsignedString(program.version()) + ";");
    lines.add("} = " + String.format("0x%08x", program.number()) + ";");
    return lines;
  }

  private String procedureName(Procedure procedure) {
    String name = XdrNames.member(procedure.name());
    String chosen = taken.contains(name) ? name + "_" + Integer.toUnsignedString(procedure.number()) : name;
    taken.addAll(List.of(chosen, chosen + "_args", chosen + "_result"));
    return chosen;
  }

  private String arguments(Procedure procedure, String name) {
    List<StructType.Component> sent = new ArrayList<>();
    procedure.object().ifPresent(type -> sent.add(
        new StructType.Component(objectName(procedure), new ObjectType(type, Optional.empty()))));
    procedure.sent().forEach(p -> sent.add(new StructType.Component(p.name(), p.wire().orElseThrow())));
    if (sent.isEmpty()) {
      return "void";
    }
    define(name + "_args", () -> struct(name + "_args", sent));
    return name + "_args";
  }

  /** The name of the called object among the arguments: that of no parameter. */
  private static String objectName(Procedure procedure) {
    Set<String> names = procedure.sent().stream().map(each -> each.name()).collect(Collectors.toSet());
    return Stream.concat(Stream.of("object"), IntStream.iterate(2, i -> i + 1).mapToObj(i -> "object" + i))
        .filter(name -> !names.contains(name)).findFirst().orElseThrow();
  }

  private String result(Program program, Procedure procedure, String name) {
    if (!program.union()) {
      return procedure.result().map(type -> type.specifier(this)).orElse("void");
    }
    define("failure", () -> "struct failure {\n  int code;\n  string message<256>;\n"
        + "  string debug_info<512>;  /* JSON text, empty if none */\n};");
    String value = procedure.result()
        .map(type -> type.declaration(this, "value") + ";" + placedComment(type)).orElse("void;");
    define(name + "_result", () -> "union " + name + "_result switch (int status) {\n"
        + "case 0:\n  " + value + "\ndefault:\n  failure failed;\n};");
    return name + "_result";
  }

  private static String placedComment(WireType type) {
    return type instanceof SequenceType && ((SequenceType) type).placed()
        ? "  /* DDP-eligible */" : "";
  }

  private String unique(String suggestion) {
    String name = suggestion;
    for (int i = 2; !taken.add(name); i++) {
      name = suggestion + "_" + i;
    }
    return name;
  }
}
