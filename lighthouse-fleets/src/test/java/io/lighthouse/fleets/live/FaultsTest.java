package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.util.OSInfo;

/**
 * Fleets in a file while the system calls of their process fail one after the other, or the process
 * is killed before one of them: the rows of the table in {@code docs/fleets-failures.md}. A
 * preloaded C library fails them, {@code faults.c}; where none can be made, these tests are
 * skipped.
 */
class FaultsTest {
  private static final int EIO = 5;
  private static final int ENOMEM = 12;
  private static final int EACCES = 13;
  private static final int EMFILE = 24;
  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;
  private static final int FOREVER = 1_000_000;
  private static final String SQLITE = System.mapLibraryName("sqlitejdbc");

  /** More calls of one kind than a life makes. */
  private static final int MANY = 400;

  /** The process is killed before every n-th call; 1 for each. */
  private static final int KILL_STEP = Integer.getInteger("lighthouse.fleets.faults.step", 4);

  @TempDir private static Path folder;
  private static Path library;
  private static String classPath;
  private static List<String> archive = List.of();

  @BeforeAll
  static void compile() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "not Linux: not tested");
    library = folder.resolve("faults.so");
    Path source = folder.resolve("faults.c");
    try (var in = FaultsTest.class.getResourceAsStream("/faults.c")) {
      Files.copy(in, source);
    }
    boolean compiled = false;
    try {
      Process cc =
          new ProcessBuilder(
                  "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
              .inheritIO()
              .start();
      compiled = cc.waitFor() == 0;
    } catch (IOException missing) {
      abort("there is no C compiler (cc): not tested");
    }
    assertThat(compiled).as("faults.c compiles").isTrue();
    unpackSqlite();
    classPath = jars();
    archive();
  }

  /** Else each child unpacks it, and those that are killed leave it behind. */
  private static void unpackSqlite() throws IOException {
    String packed = "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/";
    try (var in = OSInfo.class.getResourceAsStream(packed + SQLITE)) {
      Files.copy(in, folder.resolve(SQLITE));
    }
  }

  /** What this JVM runs from, folders as jars: classes of a folder do not come into an archive. */
  private static String jars() {
    List<String> parts = new ArrayList<>();
    parts.add(Path.of(System.getProperty("lighthouse.build"), "test-classes").toString());
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      parts.addAll(List.of(System.getProperty(property, "").split(File.pathSeparator)));
    }
    List<String> jars = new ArrayList<>();
    for (String part : parts) {
      if (part.isEmpty()) {
        continue;
      }
      Path jar = Path.of(part);
      if (Files.isDirectory(jar)) {
        jar = folder.resolve("part-" + jars.size() + ".jar");
        int code =
            ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "-cf", jar.toString(), "-C", part, ".");
        assertThat(code).as("a jar of " + part).isZero();
      }
      jars.add(jar.toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  /** Most of a child is its start, so classes come from an archive where one can be made. */
  private static void archive() throws Exception {
    Path made = folder.resolve("classes.jsa");
    Files.deleteIfExists(made);
    List<String> command = child("-XX:ArchiveClassesAtExit=" + made);
    command.add("close");
    command.add(plan("none", "none", 1, 1, 0, "archive").toString());
    Process first =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertThat(first.waitFor(2, TimeUnit.MINUTES)).as("the first child ends").isTrue();
    } finally {
      first.destroyForcibly();
    }
    assertThat(first.exitValue()).isEqualTo(7);
    if (Files.exists(made)) {
      archive = List.of("-XX:SharedArchiveFile=" + made);
    }
  }

  /** The command of a child, up to its arguments. */
  private static List<String> child(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Xlog:disable");
    command.addAll(List.of(options));
    command.add("-Dorg.sqlite.lib.path=" + folder);
    command.add("-Dorg.sqlite.lib.name=" + SQLITE);
    command.addAll(List.of("-cp", classPath));
    command.add(
        "-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file"));
    command.add(FaultChild.class.getName());
    return command;
  }

  /** A fault, and the folder that brings it about. */
  private static Path plan(String call, String file, int number, int times, int errno, String more)
      throws IOException {
    return Files.createDirectories(
        folder.resolve(
            "fault-" + call + "-" + file + "-" + number + "-" + times + "-" + errno + "-" + more));
  }

  /** The answers of one folder: by call, {@code ok 3} or the kind of a refusal. */
  private static final class Told {
    final Path file;
    final Map<String, String> answers = new LinkedHashMap<>();

    /** The call during which the fault happened; empty where it has not. */
    String during = "";

    Told(Path folder) {
      this.file = folder.resolve("fleets.db");
    }

    void hear(String line) {
      int colon = line.indexOf(": ");
      String answer = line.substring(colon + 2);
      if (answer.startsWith("fired ")) {
        during = during.isEmpty() ? line.substring(0, colon) : during;
        answer = answer.substring("fired ".length());
      }
      answers.put(line.substring(0, colon), answer);
    }

    String to(String call) {
      return answers.getOrDefault(call, "nothing");
    }

    @Override
    public String toString() {
      return file + " " + answers + (during.isEmpty() ? "" : ", fault during " + during);
    }
  }

  /** Runs lives in one process that preloads the library; answers its exit code. */
  private static int run(String end, List<Path> folders, List<Told> told) throws Exception {
    List<String> command = child(archive.toArray(String[]::new));
    command.add(end);
    folders.forEach(one -> command.add(one.toString()));
    Path out = folder.resolve("out.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LD_PRELOAD", library.toString());
    Process child = builder.start();
    try {
      assertThat(child.waitFor(10, TimeUnit.MINUTES)).as("the child ends").isTrue();
    } finally {
      child.destroyForcibly();
    }
    Told current = null;
    int next = 0;
    for (String line : Files.readAllLines(out, StandardCharsets.UTF_8)) {
      if (current == null) {
        current = new Told(folders.get(next++));
        told.add(current);
      }
      if (line.equals("end")) {
        current = null;
      } else {
        current.hear(line);
      }
    }
    return child.exitValue();
  }

  /** Lives with the first, second, ... call of a kind failing, until one has not failed. */
  private static List<Told> eachInTurn(String call, String file, int times, int errno, String end)
      throws Exception {
    List<Told> lives = new ArrayList<>();
    for (int from = 1; from < MANY; from += 8) {
      List<Path> folders = new ArrayList<>();
      for (int number = from; number < from + 8; number++) {
        folders.add(plan(call, file, number, times, errno, end));
      }
      assertThat(run(end, folders, lives)).as("%s", lives).isEqualTo(7);
      if (lives.get(lives.size() - 1).during.isEmpty()) {
        lives.removeIf(life -> life.during.isEmpty());
        assertThat(lives).as("lives with a fault").isNotEmpty();
        return lives;
      }
    }
    throw new AssertionError("there is no end to the calls: " + call + " on " + file);
  }

  /**
   * What was answered is there after a restart, what was refused is not, and each is there once.
   */
  private static void judge(Told told) throws StoreException {
    judgeBackup(told);
    try (Fleets fleets = FaultChild.open(told.file)) {
      String created = told.to("create");
      boolean there = !fleets.list().isEmpty();
      if (created.startsWith("ok")) {
        assertThat(there).as("%s", told).isTrue();
      } else if (created.startsWith("store")) {
        assertThat(there).as("%s", told).isFalse();
      }
      if (!there) {
        return;
      }
      long before = fleets.list().get(0).generation();
      long unknown = 0;
      for (int i = 0; i < FaultChild.CALLS; i++) {
        String answer = told.to("w" + i);
        boolean placed = isPlaced(fleets, "w" + i);
        if (answer.startsWith("ok")) {
          assertThat(placed).as("w%s of %s", i, told).isTrue();
        } else if (answer.startsWith("store") || answer.startsWith("no-such-fleet")) {
          assertThat(placed).as("w%s of %s", i, told).isFalse();
        } else {
          unknown++;
        }
        String again = FaultChild.ask(fleets, FaultChild.assign("w" + i));
        assertThat(again)
            .as("w%s of %s", i, told)
            .startsWith(answer.startsWith("ok") ? answer : "ok");
      }
      assertThat(unknown).as("%s", told).isLessThanOrEqualTo(FaultChild.CALLS);
      assertThat(fleets.list().get(0).generation()).isGreaterThanOrEqualTo(before);
      assertThat(fleets.list().get(0).workloads()).isEqualTo(FaultChild.CALLS);
    }
    assertSound(told.file, told);
  }

  /** A copy with that name is complete. */
  private static void judgeBackup(Told told) throws StoreException {
    Path copy = FaultChild.copyOf(told.file);
    String answer = told.to("backup");
    if (answer.equals("ok")) {
      assertThat(copy).as("%s", told).exists();
    } else if (answer.startsWith("failed")) {
      assertThat(copy).as("%s", told).doesNotExist();
    }
    if (Files.exists(copy)) {
      assertSound(copy, told);
      try (SqliteJournal original = SqliteJournal.openToRead(told.file);
          SqliteJournal copied = SqliteJournal.openToRead(copy)) {
        assertThat(copied.heads()).as("%s", told).hasSameSizeAs(original.heads());
      }
    }
  }

  private static void assertSound(Path file, Told told) throws StoreException {
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      assertThat(journal.check()).as("%s", told).isEmpty();
      assertThat(new Verification(journal, Engine::of).verify())
          .allSatisfy(found -> assertThat(found.faults()).as("%s", told).isEmpty());
    }
  }

  private static boolean isPlaced(Fleets fleets, String workload) {
    return FaultChild.ask(fleets, FleetCall.of(FleetQuestions.workload(workload))).startsWith("ok");
  }

  /** After a call whose outcome is unknown nothing is written, and what is read is what was. */
  private static void assertNothingIsWrittenAfter(Told told) {
    List<String> calls = List.copyOf(told.answers.keySet());
    int at = calls.indexOf(told.during);
    long before = told.during.equals("w0") ? 1 : generation(told.to(calls.get(at - 1)));
    assertThat(told.to(told.during)).as("%s", told).isEqualTo("outcome-unknown " + before);
    for (int i = at + 1; i < calls.size(); i++) {
      if (calls.get(i).matches("(w|large).*")) {
        assertThat(told.to(calls.get(i))).as("%s", told).isEqualTo("store " + before);
      }
    }
    assertThat(told.to("read")).as("%s", told).isEqualTo("ok " + before);
  }

  private static long generation(String answer) {
    return Long.parseLong(answer.substring(answer.lastIndexOf(' ') + 1));
  }

  @Test
  void eachSynchronisationOfTheLogThatFailsLeavesTheOutcomeUnknown() throws Exception {
    for (int times : new int[] {1, FOREVER}) {
      for (String end : new String[] {"close", "halt"}) {
        List<Told> lives = eachInTurn("fsync", "wal", times, EIO, end);
        assertThat(lives).anyMatch(told -> told.during.startsWith("w"));
        for (Told told : lives) {
          if (told.during.startsWith("w")) {
            assertNothingIsWrittenAfter(told);
          }
          judge(told);
        }
      }
    }
  }

  @Test
  void eachOtherSynchronisationThatFailsLosesNothing() throws Exception {
    for (Told told : eachInTurn("fsync", "any", 1, EIO, "close")) {
      judge(told);
    }
  }

  /** Nothing of a call is there whose write to the log fails, and writing goes on when it works. */
  private static void assertWritingGoesOnAfter(int errno, int times) throws Exception {
    assertWritingGoesOnAfter("write", "wal", errno, times);
  }

  /** The same of another call. */
  private static void assertWritingGoesOnAfter(String call, String file, int errno, int times)
      throws Exception {
    List<Told> lives = eachInTurn(call, file, times, errno, "close");
    assertThat(lives).anyMatch(told -> told.during.startsWith("w"));
    for (Told told : lives) {
      if (told.during.startsWith("w")) {
        assertThat(told.to(told.during)).as("%s", told).startsWith("store");
        assertThat(told.to("read")).as("%s", told).startsWith("ok");
        assertThat(told.to("w3").startsWith("ok"))
            .as("%s", told)
            .isEqualTo(times == 1 && !told.during.equals("w3"));
      }
      judge(told);
    }
  }

  @Test
  void aFullDiskChangesNothingAndWritingGoesOnWhenThereIsRoom() throws Exception {
    assertWritingGoesOnAfter(ENOSPC, 1);
    assertWritingGoesOnAfter(ENOSPC, FOREVER);
  }

  /** The room that SQLite gives back itself is taken by another program at once. */
  @Test
  void whereEachWriteFailsForLackOfRoomReadingGoesOn() throws Exception {
    assertWritingGoesOnAfter("write", "any", ENOSPC, FOREVER);
  }

  /** SQLite takes only ENOSPC for a full disk. */
  @Test
  void aQuotaThatIsUsedUpChangesNothingAndWritingGoesOnWhenThereIsRoom() throws Exception {
    assertWritingGoesOnAfter(EDQUOT, FOREVER);
  }

  @Test
  void eachWriteThatFailsOtherwiseLosesNothing() throws Exception {
    assertWritingGoesOnAfter(EIO, 1);
    for (String file : new String[] {"db", "shm"}) {
      for (Told told : eachInTurn("write", file, 1, EIO, "close")) {
        judge(told);
      }
    }
  }

  /** SQLite makes the index larger when the commit is in the log already, and synchronised. */
  @ParameterizedTest
  @CsvSource({"write, " + ENOSPC, "write, " + EDQUOT, "map, " + ENOMEM})
  void aLogWhoseIndexCannotGrowTakesTheCommitBackAndWritingGoesOn(String call, int errno)
      throws Exception {
    int first = call.equals("map") ? 2 : 9; // A page of the index is written in eight steps.
    List<Told> lives = new ArrayList<>();
    Path large = plan(call, "shm", first, 1, errno, FaultChild.LARGE.substring(1));
    assertThat(run("close", List.of(large), lives)).isEqualTo(7);
    Told told = lives.get(0);
    assertThat(told.during).as("%s", told).startsWith("large");
    assertThat(told.to(told.during)).as("%s", told).startsWith("store");
    assertThat(told.answers.values()).filteredOn(one -> !one.startsWith("ok")).hasSize(1);
    judge(told);
  }

  /** The disk also fails when the commit is taken back in the log. */
  @ParameterizedTest
  @ValueSource(strings = {"write", "fsync"})
  void aCommitThatCannotBeTakenBackLeavesTheOutcomeUnknown(String then) throws Exception {
    List<Told> lives = new ArrayList<>();
    Path large = plan("write", "shm", 9, 1, ENOSPC, then + "-wal" + FaultChild.LARGE);
    assertThat(run("close", List.of(large), lives)).isEqualTo(7);
    Told told = lives.get(0);
    assertThat(told.during).as("%s", told).startsWith("large");
    assertNothingIsWrittenAfter(told);
    judge(told);
  }

  /** As for a user that may only read it; root may write to any file. */
  @Test
  void aFileThatMayOnlyBeReadIsRefused() throws Exception {
    Path place = plan("alter", "db", 1, FOREVER, EACCES, "refused");
    Told told = new Told(place);
    try (Fleets fleets = FaultChild.open(told.file)) {
      fleets.create("f", SharedStore.problem(), "", false).join();
    }
    List<Told> lives = new ArrayList<>();
    assertThat(run("close", List.of(place), lives)).isEqualTo(7);
    assertThat(lives.get(0).during).isEqualTo("open");
    assertThat(lives.get(0).to("open"))
        .startsWith("refused cannot open fleets in " + told.file)
        .contains("readonly");
    judge(told);
  }

  /** The file is opened anew after another error, and it may not be written to then. */
  @Test
  void aFileThatMayOnlyBeReadFromNowOnIsRead() throws Exception {
    Path place = plan("alter", "db", 2, FOREVER, EACCES, FaultChild.ANEW.substring(1));
    List<Told> lives = new ArrayList<>();
    assertThat(run("close", List.of(place), lives)).isEqualTo(7);
    Told told = lives.get(0);
    assertThat(told.during).isEqualTo("w2");
    assertThat(told.to("w1")).as("%s", told).isEqualTo("ok 3");
    assertThat(told.to("w2")).as("%s", told).isEqualTo("store 3");
    assertThat(told.to("w3")).as("%s", told).isEqualTo("store 3");
    assertThat(told.to("read")).as("%s", told).isEqualTo("ok 3");
    judge(told);
  }

  /** A file that the system fails to show has not been moved. */
  @ParameterizedTest
  @ValueSource(strings = {"db", "wal", "lock"})
  void writingGoesOnWhenAFileIsSeenAgain(String file) throws Exception {
    assertWritingGoesOnAfter("stat", file, EIO, 1);
  }

  /** A file system that synchronises each write may fail to, and have all of it. */
  @Test
  void aWriteThatFailsAndMayBeThereLeavesTheOutcomeUnknown() throws Exception {
    boolean unknown = false;
    for (Told told : eachInTurn("wrote", "wal", 1, EIO, "close")) {
      if (told.during.startsWith("w") && !told.to(told.during).startsWith("store")) {
        assertNothingIsWrittenAfter(told);
        unknown = true;
      }
      judge(told);
    }
    assertThat(unknown).isTrue();
  }

  @Test
  void aBackupWithoutRoomLeavesNothingBehind() throws Exception {
    for (Told told : eachInTurn("write", "part", FOREVER, ENOSPC, "close")) {
      assertThat(told.to("backup")).as("%s", told).startsWith("failed");
      assertThat(told.file.getParent())
          .isDirectoryNotContaining(file -> file.getFileName().toString().startsWith("backup-"));
      judge(told);
    }
  }

  @Test
  void eachReadThatFailsLosesNothing() throws Exception {
    for (int times : new int[] {1, FOREVER}) {
      for (Told told : eachInTurn("read", "any", times, EIO, "halt")) {
        judge(told);
      }
    }
  }

  @Test
  void eachOpeningThatFailsForTooManyOpenFilesLosesNothing() throws Exception {
    for (int times : new int[] {1, FOREVER}) {
      for (Told told : eachInTurn("open", "any", times, EMFILE, "halt")) {
        judge(told);
      }
    }
  }

  @Test
  void eachMappingCuttingAndDeletionThatFailsLosesNothing() throws Exception {
    for (Told told : eachInTurn("map", "shm", 1, ENOMEM, "close")) {
      judge(told);
    }
    for (String call : new String[] {"truncate", "unlink"}) {
      for (Told told : eachInTurn(call, "any", 1, EIO, "close")) {
        judge(told);
      }
    }
  }

  @Test
  void aProcessThatIsKilledBeforeAnyCallThatChangesAFileLosesNothing() throws Exception {
    int killed = 0;
    for (int call = 1; ; call += KILL_STEP) {
      List<Path> one = List.of(plan("change", "any", call, 1, 0, "kill"));
      List<Told> lives = new ArrayList<>();
      int code = run("close", one, lives);
      Told told = lives.isEmpty() ? new Told(one.get(0)) : lives.get(0);
      judge(told);
      if (code == 7) {
        break;
      }
      assertThat(code).as("killed: %s", told).isEqualTo(137);
      killed++;
    }
    assertThat(killed * KILL_STEP).isGreaterThan(20);
  }

  @Test
  void aRestartVerifiesTheLogOrRefusesTheFile() throws Exception {
    Path before = plan("none", "none", 1, 1, 0, "halted");
    List<Told> lives = new ArrayList<>();
    assertThat(run("halt", List.of(before), lives)).isEqualTo(7);
    assertThat(Files.size(before.resolve("fleets.db-wal"))).isPositive();
    for (String call : new String[] {"fsync", "write", "read"}) {
      Path again = plan(call, "wal", 1, 1, EIO, "restart");
      for (String name : new String[] {"fleets.db", "fleets.db-wal"}) {
        Files.copy(before.resolve(name), again.resolve(name));
      }
      List<Told> after = new ArrayList<>();
      assertThat(run("close", List.of(again), after)).isEqualTo(7);
      assertThat(after.get(0).during).isEqualTo("open");
      assertThat(after.get(0).to("open"))
          .startsWith("refused")
          .contains("its log cannot be verified");
      Told told = new Told(again);
      told.answers.putAll(lives.get(0).answers);
      judge(told);
    }
  }
}
