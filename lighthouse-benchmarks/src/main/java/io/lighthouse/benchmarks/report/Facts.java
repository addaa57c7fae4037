package io.lighthouse.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Locale;

/** Where and when: without these a figure says nothing. Names no host and no path. */
final class Facts {
  private Facts() {}

  static String table(String command, String commit) {
    Table table = new Table(2, "", "");
    table.row("date", LocalDate.now());
    table.row("commit", commit);
    table.row("command", "`" + command + "`");
    table.row("processor", processor());
    table.row("processors", Runtime.getRuntime().availableProcessors());
    table.row("memory", memory());
    table.row("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    table.row(
        "JDK",
        System.getProperty("java.vendor.version", System.getProperty("java.vendor"))
            + " "
            + System.getProperty("java.runtime.version"));
    table.row(
        "JVM options",
        "`-Xms2g -Xmx2g -XX:+UseSerialGC`; 6g beyond 10,000 nodes; a fresh JVM for each case");
    return table.toString();
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException notLinux) {
      return System.getProperty("os.arch");
    }
  }

  private static String memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? String.format(Locale.ROOT, "%.0f GB", system.getTotalMemorySize() / 1e9)
        : "unknown";
  }
}
