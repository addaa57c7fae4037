package io.lighthouse.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One browser for all test classes of this JVM, which run one after the other. The first starts it,
 * and it ends with the JVM. A class fails that left complaints of the browser.
 */
final class SharedBrowser implements BeforeAllCallback, AfterAllCallback {
  private static Browser started;

  private Browser browser;

  /** The browser; where there is none, the class was skipped. */
  Browser browser() {
    return browser;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    browser = started();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (browser != null) {
      browser.forgetScripts();
      browser.assertNoComplaints();
    }
  }

  private static synchronized Browser started() {
    if (started == null) {
      try {
        Path build = Path.of(System.getProperty("lighthouse.build"));
        Path profile = Files.createTempDirectory(build, "browser");
        started = Browser.start(profile);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started, profile)));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
    return started;
  }

  private static void end(Browser browser, Path profile) {
    browser.close();
    try (Stream<Path> files = Files.walk(profile)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException busy) {
      // It lies in the build folder, which goes with the next clean build.
    }
  }
}
