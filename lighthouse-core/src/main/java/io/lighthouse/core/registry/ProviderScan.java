package io.lighthouse.core.registry;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.StrategyDescription;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.InvalidModuleDescriptorException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipException;

/**
 * One search for providers. Whatever a provider does wrong, or a jar, becomes a fault that names
 * it, and the search goes on.
 */
final class ProviderScan {
  /** More broken providers than this in one loader end its search. */
  private static final int MOST_FAULTS = 100;

  /**
   * Where Java names the version of a class file that is newer than itself. One with features in
   * preview, such as 61.65535, needs Java 17 alone, and Java's own words say so.
   */
  private static final Pattern NEWER = Pattern.compile("version (\\d+)\\.0\\b");

  /** The version of the class files of Java N is N + 44. */
  private static final int VERSION_LESS_JAVA = 44;

  private final List<Installed<PlacementStrategy, StrategyDescription>> strategies =
      new ArrayList<>();
  private final List<Installed<PlacementRule, RuleDescription>> rules = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  List<Installed<PlacementStrategy, StrategyDescription>> strategies() {
    return strategies;
  }

  List<Installed<PlacementRule, RuleDescription>> rules() {
    return rules;
  }

  List<String> faults() {
    return faults;
  }

  /** The module path and the class path, as the thread's class loader sees them. */
  void installed() {
    collect(
        ServiceLoader.load(PlacementStrategy.class),
        ServiceLoader.load(PlacementRule.class),
        any -> true,
        "the module or class path");
  }

  /** Every jar, and every sub-directory of jars, in a layer of its own, by file name. */
  void directory(Path directory) {
    for (Path entry : entries(directory)) {
      try {
        List<Path> jars = jars(Files.isDirectory(entry) ? entries(entry) : List.of(entry));
        if (jars.isEmpty()) {
          continue;
        }
        if (ProviderScan.class.getModule().isNamed() && !nameless(jars)) {
          layer(entry, jars);
        } else {
          loader(entry, jars);
        }
      } catch (Exception | LinkageError | ServiceConfigurationError broken) {
        faults.add("plug-in " + entry + ": " + text(broken));
      }
    }
  }

  private static List<Path> entries(Path directory) {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entries::add);
    } catch (IOException | DirectoryIteratorException unreadable) {
      throw new InvalidInputException(
          "plug-ins", "directory", "'" + directory + "'", "a directory that can be read");
    }
    Collections.sort(entries);
    return entries;
  }

  private static List<Path> jars(List<Path> entries) {
    return entries.stream()
        .filter(path -> path.toString().endsWith(".jar") && Files.isRegularFile(path))
        .collect(Collectors.toList());
  }

  /** Whether these are plain jars of which no module can be made, such as {@code 1.jar}. */
  private static boolean nameless(List<Path> jars) throws IOException {
    try {
      ModuleFinder.of(jars.toArray(Path[]::new)).findAll();
      return false;
    } catch (FindException noModules) {
      for (Path jar : jars) {
        try (JarFile file = new JarFile(jar.toFile())) {
          if (file.getEntry("module-info.class") != null) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private void layer(Path origin, List<Path> jars) {
    ModuleFinder finder = ModuleFinder.of(jars.toArray(Path[]::new));
    Set<String> modules =
        finder.findAll().stream()
            .map(ModuleReference::descriptor)
            .map(descriptor -> descriptor.name())
            .collect(Collectors.toSet());
    ModuleLayer own = ProviderScan.class.getModule().getLayer();
    Configuration configuration = own.configuration().resolve(finder, ModuleFinder.of(), modules);
    ModuleLayer layer =
        own.defineModulesWithOneLoader(configuration, ProviderScan.class.getClassLoader());
    collect(
        ServiceLoader.load(layer, PlacementStrategy.class),
        ServiceLoader.load(layer, PlacementRule.class),
        type -> type.getModule().getLayer() == layer,
        origin.toString());
  }

  private void loader(Path origin, List<Path> jars) throws IOException {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars.get(i).toUri().toURL();
    }
    // Stays open as long as the strategies that it loads.
    URLClassLoader loader = new URLClassLoader(urls, PlacementStrategy.class.getClassLoader());
    collect(
        ServiceLoader.load(PlacementStrategy.class, loader),
        ServiceLoader.load(PlacementRule.class, loader),
        type -> type.getClassLoader() == loader,
        origin.toString());
  }

  private void collect(
      ServiceLoader<PlacementStrategy> strategyLoader,
      ServiceLoader<PlacementRule> ruleLoader,
      Predicate<Class<?>> own,
      String where) {
    collect(strategyLoader, own, where, Installed::strategy, strategies);
    collect(ruleLoader, own, where, Installed::rule, rules);
  }

  private <S, T> void collect(
      ServiceLoader<S> loader,
      Predicate<Class<?>> own,
      String where,
      BiFunction<S, String, T> read,
      List<T> into) {
    Iterator<ServiceLoader.Provider<S>> providers = loader.stream().iterator();
    int broken = 0;
    while (broken < MOST_FAULTS) {
      try {
        if (!providers.hasNext()) {
          return;
        }
        ServiceLoader.Provider<S> provider = providers.next();
        if (own.test(provider.type())) {
          add(provider, read, into);
        }
      } catch (ServiceConfigurationError | LinkageError unloadable) {
        faults.add("provider on " + where + ": " + text(unloadable));
        broken++;
      }
    }
  }

  private <S, T> void add(
      ServiceLoader.Provider<S> provider, BiFunction<S, String, T> read, List<T> into) {
    String origin = origin(provider.type());
    try {
      into.add(read.apply(provider.get(), origin));
    } catch (Exception | LinkageError | ServiceConfigurationError | StackOverflowError broken) {
      faults.add("provider " + origin + ": " + text(broken));
    }
  }

  /** A class, and the module and jar it comes from. */
  static String origin(Class<?> type) {
    String module = type.getModule().isNamed() ? " in module " + type.getModule().getName() : "";
    CodeSource source = type.getProtectionDomain().getCodeSource();
    String jar =
        source == null || source.getLocation() == null ? "" : source.getLocation().getPath();
    return "class " + type.getName() + module + (jar.isEmpty() ? "" : " from " + jar);
  }

  private static String text(Throwable broken) {
    for (Throwable at = broken; at != null; at = at.getCause()) {
      if (at instanceof ZipException) {
        return "is no whole jar (" + at.getMessage() + "); copy it again";
      }
      Matcher newer = NEWER.matcher(String.valueOf(at.getMessage()));
      if ((at instanceof UnsupportedClassVersionError
              || at instanceof InvalidModuleDescriptorException)
          && newer.find()) {
        int java = Runtime.version().feature();
        return "compiled for Java "
            + (Integer.parseInt(newer.group(1)) - VERSION_LESS_JAVA)
            + ", this is Java "
            + java
            + "; compile it with --release "
            + java;
      }
    }
    Throwable cause = broken.getCause();
    return (broken.getMessage() == null ? broken.getClass().getName() : broken.getMessage())
        + (cause == null ? "" : " (" + cause + ")");
  }
}
