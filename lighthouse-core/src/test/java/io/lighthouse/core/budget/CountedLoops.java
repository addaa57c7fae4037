package io.lighthouse.core.budget;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Loads the classes of core a second time. In the packages that search, every turn of a loop and
 * every call is counted, whether the code counts steps there or not.
 */
public final class CountedLoops extends ClassLoader {
  private static final String CORE = "io.lighthouse.core.";

  /** The packages whose loops are counted. */
  private static final List<String> COUNTED = List.of("bound.", "plan.", "question.", "share.");

  private static long turns;

  private final List<String> packages;

  /** A second core of its own, in which the loops of searches are counted. */
  public CountedLoops() {
    this(COUNTED);
  }

  /**
   * A second core of its own.
   *
   * @param packages where loops are counted, such as {@code plan.}
   */
  public CountedLoops(List<String> packages) {
    super(CountedLoops.class.getClassLoader());
    this.packages = packages;
  }

  /**
   * Calls a static method of a class, with the second core.
   *
   * @return what it returns; of a type of the JDK
   */
  public Object call(Class<?> type, String method, Object... arguments)
      throws ReflectiveOperationException {
    for (Method each : loadClass(type.getName()).getMethods()) {
      if (each.getName().equals(method)) {
        return each.invoke(null, arguments);
      }
    }
    throw new NoSuchMethodException(method);
  }

  /** The counted classes call this at each turn of a loop, and at each call. */
  public static void turn() {
    turns++;
  }

  /** The turns and calls since the last time. */
  public static long take() {
    long taken = turns;
    turns = 0;
    return taken;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!name.startsWith(CORE)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] code = file.readAllBytes();
      boolean isCounted = packages.stream().anyMatch(name.substring(CORE.length())::startsWith);
      byte[] own = isCounted ? counted(code) : code;
      return defineClass(name, own, 0, own.length);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static byte[] counted(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] thrown) {
            return new Counter(super.visitMethod(access, name, type, signature, thrown));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Counter extends MethodVisitor {
    /** The places before the present one. */
    private final Set<Label> behind = new HashSet<>();

    Counter(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      count();
    }

    @Override
    public void visitLabel(Label label) {
      behind.add(label);
      super.visitLabel(label);
    }

    @Override
    public void visitJumpInsn(int code, Label to) {
      if (behind.contains(to)) {
        count();
      }
      super.visitJumpInsn(code, to);
    }

    private void count() {
      String counter = CountedLoops.class.getName().replace('.', '/');
      super.visitMethodInsn(Opcodes.INVOKESTATIC, counter, "turn", "()V", false);
    }
  }
}
