// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.signature;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * The class files of a module.
 *
 * @param exported the packages that it exports to all
 * @param classes all of them, those of other packages too
 */
record ModuleClasses(Set<String> exported, List<ClassNode> classes) {

  /** Reads a module of the class path: of a folder that was compiled into, or of a jar. */
  static ModuleClasses ofClassPath(String module) throws IOException {
    for (URL descriptor : Collections.list(ModuleClasses.class.getClassLoader().getResources("module-info.class"))) {
      for (ModuleReference found : ModuleFinder.of(place(descriptor)).findAll()) {
        if (found.descriptor().name().equals(module)) {
          return read(found);
        }
      }
    }
    throw new IllegalStateException("The class path has no module " + module);
  }

  private static Path place(URL descriptor) {
    String place = descriptor.toString().replaceFirst("!?/module-info\\.class$", "").replaceFirst("^jar:", "");
    return Path.of(URI.create(place));
  }

  private static ModuleClasses read(ModuleReference module) throws IOException {
    List<ClassNode> classes = new ArrayList<>();
    try (ModuleReader reader = module.open()) {
      for (String file : reader.list().filter(name -> name.endsWith(".class") && name.contains("/")).toList()) {
        try (InputStream in = reader.open(file).orElseThrow()) {
          classes.add(parse(in.readAllBytes()));
        }
      }
    }
    Set<String> exported = module.descriptor().exports().stream().filter(exports -> !exports.isQualified())
        .map(ModuleDescriptor.Exports::source).collect(Collectors.toSet());
    return new ModuleClasses(exported, classes);
  }

  /** Reads a class file. */
  static ClassNode parse(byte[] file) {
    ClassNode node = new ClassNode();
    new ClassReader(file).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return node;
  }
}
