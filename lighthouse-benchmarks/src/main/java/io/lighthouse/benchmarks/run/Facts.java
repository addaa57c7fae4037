package io.lighthouse.benchmarks.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where and when something was measured: without these a figure says nothing. Taken from the
 * machine itself; names no host and no path.
 *
 * @param values what is known, by name
 */
public record Facts(Map<String, String> values) {
  /** Of this process, now. */
  public static Facts now(String command, String commit) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("date", LocalDate.now().toString());
    values.put("commit", commit);
    values.put("command", "`" + command + "`");
    values.put("processor", processor());
    values.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    values.put("memory", memory());
    values.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    values.put(
        "JDK",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    values.put("load before the run", load());
    values.put(
        "JVM options",
        "`-Xms2g -Xmx2g -XX:+UseSerialGC`; 6g beyond 10,000 nodes; a fresh JVM for each case");
    return new Facts(values);
  }

  /** A line for each occasion on which some measurements were taken. */
  public static String lines(Collection<Measurement> measurements) {
    return measurements.stream()
        .map(measurement -> measurement.taken().line())
        .distinct()
        .collect(Collectors.joining());
  }

  public String line() {
    return "Measured %s at %s: %s, %s processors, Java %s.%n"
        .formatted(
            values.get("date"),
            values.get("commit"),
            values.get("processor"),
            values.get("processors"),
            values.get("JDK").replaceFirst(".* ", ""));
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

  private static String load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
  }
}
