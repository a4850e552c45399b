// SPDX-License-Identifier: Apache-2.0
package dev.rpcrdma.requirements.link;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * A class, field or method that a class names (JVMS §5.4.3).
 *
 * @param owner the internal name of a class
 * @param member null for the class itself
 * @param descriptor of the member
 */
record Reference(String owner, String member, String descriptor) {

  /** All that a class names. */
  static List<Reference> of(ClassNode node) {
    List<Reference> all = new ArrayList<>();
    type(all, node.superName);
    node.interfaces.forEach(each -> type(all, each));
    for (FieldNode field : node.fields) {
      types(all, Type.getType(field.desc));
    }
    for (MethodNode method : node.methods) {
      types(all, Type.getMethodType(method.desc));
      method.exceptions.forEach(each -> type(all, each));
      method.tryCatchBlocks.forEach(each -> type(all, each.type));
      for (AbstractInsnNode instruction : method.instructions) {
        instruction(all, instruction);
      }
    }
    return all;
  }

  private static void instruction(List<Reference> all, AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call) {
      member(all, call.owner, call.name, call.desc);
    } else if (instruction instanceof FieldInsnNode field) {
      member(all, field.owner, field.name, field.desc);
    } else if (instruction instanceof TypeInsnNode named) {
      types(all, Type.getObjectType(named.desc));
    } else if (instruction instanceof LdcInsnNode constant) {
      constant(all, constant.cst);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      dynamic(all, dynamic);
    }
  }

  /** A lambda is an object of an interface whose method it is called by. */
  private static void dynamic(List<Reference> all, InvokeDynamicInsnNode dynamic) {
    types(all, Type.getMethodType(dynamic.desc));
    for (Object argument : dynamic.bsmArgs) {
      constant(all, argument);
    }
    if (dynamic.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
      member(all, Type.getReturnType(dynamic.desc).getInternalName(), dynamic.name,
          ((Type) dynamic.bsmArgs[0]).getDescriptor());
    }
  }

  private static void constant(List<Reference> all, Object constant) {
    if (constant instanceof Type type) {
      types(all, type);
    } else if (constant instanceof Handle handle) {
      member(all, handle.getOwner(), handle.getName(), handle.getDesc());
    }
  }

  private static void member(List<Reference> all, String owner, String name, String descriptor) {
    if (owner.startsWith("[")) {
      types(all, Type.getObjectType(owner));
      return;
    }
    all.add(new Reference(owner, name, descriptor));
    types(all, Type.getType(descriptor));
  }

  private static void types(List<Reference> all, Type type) {
    if (type.getSort() == Type.METHOD) {
      types(all, type.getReturnType());
      for (Type argument : type.getArgumentTypes()) {
        types(all, argument);
      }
    } else if (type.getSort() == Type.ARRAY) {
      types(all, type.getElementType());
    } else if (type.getSort() == Type.OBJECT) {
      type(all, type.getInternalName());
    }
  }

  private static void type(List<Reference> all, String name) {
    if (name != null) {
      all.add(new Reference(name, null, null));
    }
  }

  static boolean isAbstract(int access) {
    return (access & Opcodes.ACC_ABSTRACT) != 0;
  }

  /** As messages name it. */
  @Override
  public String toString() {
    String type = owner.replace('/', '.');
    return member == null ? type : type + "." + member + (descriptor.startsWith("(") ? "" : ":") + descriptor;
  }
}
