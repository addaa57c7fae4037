package io.lighthouse.cli;

import java.nio.file.Path;

/** The examples of the project. */
public final class Examples {
  private Examples() {}

  public static Path directory() {
    return Path.of(System.getProperty("lighthouse.root"), "examples");
  }

  public static Path file(String name) {
    return directory().resolve(name);
  }
}
