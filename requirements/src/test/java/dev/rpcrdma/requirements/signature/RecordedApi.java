// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The API as docs/versions.md says what that is, by modules: as class files have it, and as it is recorded. */
final class RecordedApi {

  /** Modules whose exported packages are the API. */
  private static final List<String> MODULES = List.of("dev.rpcrdma.api", "dev.rpcrdma.cluster", "dev.rpcrdma.service",
      "dev.rpcrdma.verbs", "dev.rpcrdma.siw", "dev.rpcrdma.ibverbs");
  /** Of this module it is what the signatures of those name, and what the signatures of that name in turn. */
  private static final String PROTOCOL = "dev.rpcrdma.protocol";
  private static final Pattern OF_PROTOCOL = Pattern.compile("dev\\.rpcrdma\\.protocol\\.[\\w.$]+");

  private final Path folder;

  /** One that is recorded in this folder. */
  RecordedApi(Path folder) {
    this.folder = folder;
  }

  /** As class files have it. */
  static SortedMap<String, SortedMap<String, TypeText>> compiled() throws IOException {
    SortedMap<String, SortedMap<String, TypeText>> all = new TreeMap<>();
    for (String module : MODULES) {
      all.put(module, types(module));
    }
    SortedMap<String, TypeText> protocol = types(PROTOCOL);
    SortedMap<String, TypeText> named = new TreeMap<>();
    all.values().forEach(types -> addNamed(types, protocol, named));
    all.put(PROTOCOL, named);
    return all;
  }

  private static SortedMap<String, TypeText> types(String module) throws IOException {
    ModuleClasses classes = ModuleClasses.ofClassPath(module);
    return new Signatures(classes.exported(), classes.classes()).types();
  }

  private static void addNamed(SortedMap<String, TypeText> types, SortedMap<String, TypeText> protocol,
      SortedMap<String, TypeText> named) {
    Matcher matcher = OF_PROTOCOL.matcher(ApiFile.write(types));
    while (matcher.find()) {
      TypeText found = protocol.get(matcher.group());
      if (found != null && named.put(matcher.group(), found) == null) {
        addNamed(new TreeMap<>(Map.of(matcher.group(), found)), protocol, named);
      }
    }
  }

  /** As it is recorded. */
  SortedMap<String, SortedMap<String, TypeText>> read() throws IOException {
    SortedMap<String, SortedMap<String, TypeText>> all = new TreeMap<>();
    for (String module : Stream.concat(MODULES.stream(), Stream.of(PROTOCOL)).toList()) {
      Path file = file(module);
      all.put(module, Files.exists(file) ? ApiFile.read(Files.readString(file)) : new TreeMap<>());
    }
    return all;
  }

  /** Records it. */
  void write(SortedMap<String, SortedMap<String, TypeText>> all) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, SortedMap<String, TypeText>> module : all.entrySet()) {
      Files.writeString(file(module.getKey()), ApiFile.write(module.getValue()));
    }
  }

  private Path file(String module) {
    return folder.resolve(module + ".txt");
  }
}
