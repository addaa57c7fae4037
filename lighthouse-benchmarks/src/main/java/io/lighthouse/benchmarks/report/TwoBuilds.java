package io.lighthouse.benchmarks.report;

import io.lighthouse.benchmarks.measure.Outcome;
import java.io.File;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One benchmark of two builds in one JVM, round by round in turns: processor time of the thread,
 * and what the benchmark itself finds out ({@link Outcome}), such as bytes. The first fifth of the
 * rounds warms up and does not count. The main program of a JVM that {@link Beside} starts.
 */
final class TwoBuilds {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A round of a short benchmark lasts at least this long, in nanoseconds. */
  private static final long ROUND = 5_000_000;

  private static final int LEAST_ROUNDS = 5;

  /** The exit code where a build does not have the case, such as one made since. */
  static final int NO_SUCH_CASE = 3;

  private TwoBuilds() {}

  /**
   * Measures.
   *
   * @param args the benchmark, seconds of processor time for each build, and parameters
   * @throws Throwable whatever the benchmark throws
   */
  public static void main(String[] args) throws Throwable {
    Path outcome = Path.of(System.getProperty(Outcome.PROPERTY));
    List<Side> sides = new ArrayList<>();
    for (String property : List.of("lighthouse.before", "lighthouse.now")) {
      sides.add(new Side(System.getProperty(property), outcome.resolveSibling(property), args));
    }
    long limit = Long.parseLong(args[1]) * 1_000_000_000L;
    long calls = 1;
    while (sides.get(0).used < limit || sides.get(0).rounds.size() < LEAST_ROUNDS) {
      for (Side side : sides) {
        side.round(calls);
      }
      Side first = sides.get(0);
      if (first.isShort && first.last() * calls < ROUND) {
        calls *= 2;
      }
    }
    System.setProperty(Outcome.PROPERTY, outcome.toString());
    for (Side side : sides) {
      side.write(outcome);
    }
  }

  /** The benchmark of one build. */
  private static final class Side {
    private final ClassLoader loader;
    private final Object benchmark;
    private final MethodHandle method;
    private final Path outcome;

    /** Whether its state is made once, so that many calls can be one round. */
    private final boolean isShort;

    /** Processor time of a call, by round. */
    private final List<Double> rounds = new ArrayList<>();

    private long used;

    Side(String classPath, Path outcome, String[] args) throws Throwable {
      this.outcome = outcome;
      Files.deleteIfExists(outcome);
      loader = new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader());
      Thread.currentThread().setContextClassLoader(loader);
      String[] name = args[0].split("\\.");
      Class<?> type = loader.loadClass("io.lighthouse.benchmarks.measure." + name[0]);
      benchmark = type.getConstructor().newInstance();
      setDefaults(type);
      for (int i = 2; i < args.length; i++) {
        int equals = args[i].indexOf('=');
        set(type.getField(args[i].substring(0, equals)), args[i].substring(equals + 1));
      }
      Method found = type.getMethod(name[1]);
      method =
          MethodHandles.publicLookup()
              .unreflect(found)
              .bindTo(benchmark)
              .asType(MethodType.methodType(Object.class));
      isShort =
          methods(Setup.class, Level.Invocation).isEmpty()
              && methods(Setup.class, Level.Iteration).isEmpty()
              && !name[0].equals("NodeChangeBenchmark");
      call(Setup.class, Level.Trial);
    }

    /** Gives each parameter the first value of its annotation, as JMH does. */
    private void setDefaults(Class<?> type) throws ReflectiveOperationException {
      for (Field field : type.getFields()) {
        String[] values = (String[]) value(field, Param.class);
        if (values != null) {
          set(field, values[0]);
        }
      }
    }

    private static URL[] urls(String classPath) throws MalformedURLException {
      String[] entries = classPath.split(File.pathSeparator);
      URL[] urls = new URL[entries.length];
      for (int i = 0; i < entries.length; i++) {
        urls[i] = Path.of(entries[i]).toUri().toURL();
      }
      return urls;
    }

    private void set(Field field, String value) throws IllegalAccessException {
      Class<?> type = field.getType();
      Object typed = type == String.class ? value : null;
      if (type == int.class) {
        typed = Integer.valueOf(value);
      } else if (type == boolean.class) {
        typed = Boolean.valueOf(value);
      } else if (type.isEnum()) {
        for (Object constant : type.getEnumConstants()) {
          typed = ((Enum<?>) constant).name().equals(value) ? constant : typed;
        }
      }
      if (typed == null) {
        System.exit(NO_SUCH_CASE);
      }
      field.set(benchmark, typed);
    }

    void round(long calls) throws Throwable {
      Thread.currentThread().setContextClassLoader(loader);
      System.setProperty(Outcome.PROPERTY, outcome.toString());
      call(Setup.class, Level.Iteration);
      call(Setup.class, Level.Invocation);
      long began = THREADS.getCurrentThreadCpuTime();
      for (long i = 0; i < calls; i++) {
        Object answer = method.invokeExact();
        if (answer == null) {
          throw new IllegalStateException("no answer");
        }
      }
      long nanos = THREADS.getCurrentThreadCpuTime() - began;
      call(TearDown.class, Level.Invocation);
      used += nanos;
      rounds.add((double) nanos / calls);
    }

    double last() {
      return rounds.get(rounds.size() - 1);
    }

    /** Adds its figures: time first, then what the benchmark found out, where less is better. */
    void write(Path into) throws Throwable {
      System.setProperty(Outcome.PROPERTY, outcome.toString());
      call(TearDown.class, Level.Trial);
      System.setProperty(Outcome.PROPERTY, into.toString());
      Outcome.add("ns", low(rounds));
      for (Map.Entry<String, List<Double>> value : Outcome.read(outcome).entrySet()) {
        if (value.getKey().matches("bytes.*|p50|p99|nanos.*|changing|placing|placed")) {
          Outcome.add(value.getKey(), low(value.getValue()));
        }
      }
    }

    /** The fifth percentile of those that count, which other work on the machine disturbs least. */
    private static double low(List<Double> figures) {
      List<Double> counted = figures.stream().skip(figures.size() / 5).sorted().toList();
      return counted.get((counted.size() - 1) / 20);
    }

    private void call(Class<? extends Annotation> kind, Level level) throws Throwable {
      for (Method each : methods(kind, level)) {
        each.invoke(benchmark);
      }
    }

    private List<Method> methods(Class<? extends Annotation> kind, Level level) throws Throwable {
      List<Method> found = new ArrayList<>();
      for (Method each : benchmark.getClass().getMethods()) {
        Object at = value(each, kind);
        if (at != null && at.toString().equals(level.name())) {
          found.add(each);
        }
      }
      return found;
    }

    /**
     * The value of an annotation, or null. It is found by its name, since each build has JMH's
     * classes of its own.
     */
    private static Object value(AnnotatedElement of, Class<? extends Annotation> kind)
        throws ReflectiveOperationException {
      for (Annotation annotation : of.getAnnotations()) {
        if (annotation.annotationType().getName().equals(kind.getName())) {
          return annotation.annotationType().getMethod("value").invoke(annotation);
        }
      }
      return null;
    }
  }
}
