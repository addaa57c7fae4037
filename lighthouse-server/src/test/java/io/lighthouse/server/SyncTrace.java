package io.lighthouse.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the system saw of a service that keeps its fleets in SQLite's file, one caller at a time:
 * the lines of {@code strace -f -y}. Every answer to a change must come after the write-ahead log
 * has been written and then synchronised to its end.
 */
final class SyncTrace {
  /** A thread's number, the system call, the file or socket, and the rest. */
  private static final Pattern CALL =
      Pattern.compile("(?:\\[pid +)?(\\d+)\\]? +(\\w+)\\(\\d+<([^>]*)>(.*)");

  private static final Pattern RESUMED =
      Pattern.compile("(?:\\[pid +)?(\\d+)\\]? +<\\.\\.\\. (\\w+) resumed>(.*)");

  private int answers;
  private final List<String> faults = new ArrayList<>();

  /** What was written to the log, and how much of that is synchronised: numbers of writes. */
  private int written;

  private int synced;

  /** How much was written at the last answer. */
  private int before;

  /** The synchronisations that have begun and not ended, by thread: what was written by then. */
  private final Map<String, Integer> begun = new HashMap<>();

  private SyncTrace() {}

  /** Reads the lines of a trace. */
  static SyncTrace of(List<String> lines) {
    SyncTrace trace = new SyncTrace();
    lines.forEach(trace::read);
    return trace;
  }

  /** How many changes were answered. */
  int answers() {
    return answers;
  }

  /** The answers that came too early. */
  List<String> faults() {
    return faults;
  }

  private void read(String line) {
    Matcher resumed = RESUMED.matcher(line);
    if (resumed.matches()) {
      ended(resumed.group(1), resumed.group(2), resumed.group(3));
      return;
    }
    Matcher call = CALL.matcher(line);
    if (!call.matches()) {
      return;
    }
    String thread = call.group(1);
    String name = call.group(2);
    boolean log = call.group(3).endsWith("-wal");
    if (log && (name.startsWith("pwrite") || name.startsWith("write"))) {
      written++;
    } else if (log && (name.equals("fsync") || name.equals("fdatasync"))) {
      begun.put(thread, written);
      if (!line.endsWith("<unfinished ...>")) {
        ended(thread, name, call.group(4));
      }
    } else if (call.group(4).contains("HTTP/1.1 200") && call.group(4).contains("\"g")) {
      answered(line);
    }
  }

  private void ended(String thread, String name, String rest) {
    if (name.endsWith("sync") && begun.containsKey(thread)) {
      int covered = begun.remove(thread);
      if (rest.matches(".*= 0\\s*")) {
        synced = Math.max(synced, covered);
      }
    }
  }

  private void answered(String line) {
    answers++;
    if (written == before) {
      faults.add("nothing was written before: " + line);
    } else if (synced < written) {
      faults.add("not synchronised before: " + line);
    }
    before = written;
  }
}
