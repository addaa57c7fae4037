package io.lighthouse.server;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Speeds up the start of service processes, for tests that start many short ones. Classes come from
 * an archive (class-data sharing) that a first process writes, SQLite's library is unpacked once,
 * and only the first of the two JIT compilers is used. The code that runs is the same. Made once
 * for all tests of a build.
 */
final class QuickStart {
  private static final String LIBRARY = System.mapLibraryName("sqlitejdbc");
  private static final String MAIN = ServiceProcess.class.getName().replace('.', '/') + ".class";

  /** Null until the first use. */
  private static List<String> made;

  private QuickStart() {}

  /** The options of a JVM, its class path among them. */
  static synchronized List<String> options() throws IOException, InterruptedException {
    if (made == null) {
      made = make();
    }
    return made;
  }

  /** The tests may run in several JVMs at a time: the first makes the archive, the others wait. */
  private static List<String> make() throws IOException, InterruptedException {
    Path folder =
        Files.createDirectories(Path.of(System.getProperty("lighthouse.build"), "quick-start"));
    String classPath = jars() + File.pathSeparator + folder.resolve("service.jar");
    List<String> options = new ArrayList<>();
    options.add("-XX:TieredStopAtLevel=1");
    options.add("-XX:+UseSerialGC");
    options.add("-Xlog:disable");
    options.add("-cp");
    options.add(classPath);
    Path archive = folder.resolve("classes.jsa");
    Path madeOf = folder.resolve("made-of.txt");
    try (FileChannel file = FileChannel.open(folder.resolve("lock"), CREATE, WRITE)) {
      file.lock(); // Until it is closed.
      String now = jarsAndTimes();
      if (!Files.exists(madeOf) || !Files.readString(madeOf).equals(now)) {
        Files.deleteIfExists(madeOf);
        write(folder, archive, options);
        Files.writeString(madeOf, now);
      }
    }
    // Where there is none, it goes without.
    if (Files.exists(archive)) {
      options.add("-XX:SharedArchiveFile=" + archive);
    }
    if (Files.exists(folder.resolve(LIBRARY))) {
      options.add("-Dorg.sqlite.lib.path=" + folder);
      options.add("-Dorg.sqlite.lib.name=" + LIBRARY);
    }
    return List.copyOf(options);
  }

  /** The archive is good for these jars alone, and for this Java. */
  private static String jarsAndTimes() throws IOException {
    StringBuilder all = new StringBuilder(System.getProperty("java.home"));
    Path tests = Path.of(System.getProperty("lighthouse.build"), "test-classes", MAIN);
    for (String jar : (jars() + File.pathSeparator + tests).split(File.pathSeparator)) {
      all.append('\n').append(jar).append(' ').append(Files.getLastModifiedTime(Path.of(jar)));
    }
    return all.toString();
  }

  private static void write(Path folder, Path archive, List<String> options)
      throws IOException, InterruptedException {
    writeJar(folder.resolve("service.jar"));
    Files.deleteIfExists(archive);
    Path unpacked = Files.createTempDirectory(folder, "unpacked");
    List<String> first = new ArrayList<>(options);
    first.add("-XX:ArchiveClassesAtExit=" + archive);
    first.add("-Dorg.sqlite.tmpdir=" + unpacked);
    first.add("-Dlighthouse.store=" + unpacked.resolve("fleets.db"));
    try (ServiceProcess process = ServiceProcess.startWith(first)) {
      use(TestService.at(process.uri()));
      try (DirectoryStream<Path> libraries = Files.newDirectoryStream(unpacked, "*" + LIBRARY)) {
        for (Path library : libraries) {
          Files.copy(library, folder.resolve(LIBRARY), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** Loads what most calls of a fleet need. */
  private static void use(TestService service) {
    service.put("/fleets/f", "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":4}}]}");
    service.post(
        "/fleets/f/assign-workloads",
        "{\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}",
        "Idempotency-Key",
        "k");
    service.post("/fleets/f/release-workloads", "{\"workloads\":[\"w\"]}");
    service.get("/fleets/f/problem");
  }

  /** What this JVM runs from, without the folder of tests. */
  private static String jars() {
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(ServiceProcess.jars())
        .filter(one -> one.endsWith(".jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The process's own class in a jar: classes of a folder do not come into an archive. */
  private static void writeJar(Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream in = ServiceProcess.class.getResourceAsStream("/" + MAIN)) {
      out.putNextEntry(new JarEntry(MAIN));
      in.transferTo(out);
      out.closeEntry();
    }
  }
}
