package io.lighthouse.fleets.live;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Keeps a fleet in each of some folders, one after the other, in a process whose system calls fail.
 * Prints the answer to each call, after {@code fired} if the fault has happened by then.
 */
final class FaultChild {
  /** Assignments that are made in each folder. */
  static final int CALLS = 4;

  /** How the name of a folder ends whose log is to be large. */
  static final String LARGE = "-large";

  /** How the name of a folder ends whose file is to be opened anew in the middle. */
  static final String ANEW = "-anew";

  private FaultChild() {}

  /** Takes {@code close}, or {@code halt} to end without closing, and the folders. */
  public static void main(String[] args) throws Exception {
    boolean closes = args[0].equals("close");
    for (int i = 1; i < args.length; i++) {
      live(Path.of(args[i]), closes);
      System.out.println("end");
    }
    System.out.flush();
    Runtime.getRuntime().halt(7);
  }

  private static void live(Path folder, boolean closes) throws Exception {
    Path file = folder.resolve("fleets.db");
    SqliteJournal journal;
    Fleets fleets;
    try {
      journal = SqliteJournal.open(file);
      fleets = open(journal);
    } catch (StoreException refused) {
      said(folder, "open", "refused " + refused.getMessage());
      return;
    }
    said(folder, "open", "ok");
    said(folder, "create", create(fleets));
    if (folder.getFileName().toString().endsWith(LARGE)) {
      makeTheLogLarge(folder, fleets);
    }
    // With another reader, the log stays there when a connection is closed.
    SqliteJournal reading = closes ? null : openToRead(file);
    for (int i = 0; i < CALLS; i++) {
      if (i == CALLS / 2 && folder.getFileName().toString().endsWith(ANEW)) {
        Watched.disconnect(journal);
      }
      said(folder, "w" + i, ask(fleets, assign("w" + i)));
    }
    said(folder, "read", ask(fleets, FleetCall.of(FleetQuestions.summary())));
    if (closes) {
      fleets.close();
      said(folder, "close", "ok");
      said(folder, "backup", backup(file));
    } else {
      Reference.reachabilityFence(reading);
    }
  }

  /**
   * Makes the log larger than the first part of its index, which has 4,062 frames. A reader keeps
   * SQLite from beginning the log anew meanwhile.
   */
  private static void makeTheLogLarge(Path folder, Fleets fleets) throws StoreException {
    try (SqliteJournal reading = SqliteJournal.openToRead(folder.resolve("fleets.db"))) {
      Watched.beginToRead(reading);
      for (int i = 0; i < 50; i++) {
        Node large = Node.of("n" + i + "x".repeat(400_000), Resources.none());
        said(folder, "large" + i, ask(fleets, FleetCall.of(NodeCommands.put(large))));
      }
    }
  }

  /** One that only reads; null where the fault keeps it from that. */
  private static SqliteJournal openToRead(Path file) {
    try {
      return SqliteJournal.openToRead(file);
    } catch (StoreException failed) {
      return null;
    }
  }

  private static String backup(Path file) {
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      journal.backup(copyOf(file));
      return "ok";
    } catch (StoreException failed) {
      return "failed " + failed.getMessage();
    }
  }

  /** Where the file is backed up to. */
  static Path copyOf(Path file) {
    return file.resolveSibling("copy.db");
  }

  static Fleets open(Path file) throws StoreException {
    return open(SqliteJournal.open(file));
  }

  private static Fleets open(SqliteJournal journal) throws StoreException {
    return Engine.fleets(journal, 1 << 20);
  }

  static FleetCall assign(String name) {
    return FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))))
        .withKey("key-" + name, name.getBytes(StandardCharsets.UTF_8));
  }

  private static String create(Fleets fleets) {
    try {
      return "ok " + fleets.create("f", SharedStore.problem(), "", false).join().generation();
    } catch (FleetException refused) {
      return refused.kind().type() + " " + refused.generation();
    }
  }

  static String ask(Fleets fleets, FleetCall call) {
    try {
      return "ok " + fleets.submit("f", call).join().generation();
    } catch (CompletionException refused) {
      return refused.getCause() instanceof FleetException why
          ? why.kind().type() + " " + why.generation()
          : refused.getCause().toString();
    } catch (FleetException refused) {
      return refused.kind().type() + " " + refused.generation();
    }
  }

  private static void said(Path folder, String call, String answer) {
    String fired = Files.exists(folder.resolve("fired")) ? "fired " : "";
    System.out.println(call + ": " + fired + answer.replace('\n', ' '));
    System.out.flush();
  }
}
