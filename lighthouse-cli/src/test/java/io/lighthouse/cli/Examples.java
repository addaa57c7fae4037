package io.lighthouse.cli;

import io.lighthouse.core.Distributors;
import java.nio.file.Path;
import java.util.List;

/** The examples of the project, and the strategies that they are placed by. */
public final class Examples {
  private Examples() {}

  public static Path directory() {
    return Path.of(System.getProperty("lighthouse.root"), "examples");
  }

  public static Path file(String name) {
    return directory().resolve(name);
  }

  /** The names of all strategies that come with Lighthouse, in order. */
  static List<String> strategies() {
    return Distributors.installed().strategies().stream().map(each -> each.name()).toList();
  }
}
