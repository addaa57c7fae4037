package io.lighthouse.fleets.live;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.Effect;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.ProblemWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Recovers a fleet from the store: from the newest sound snapshot and the entries after it. Every
 * entry is checked against the hash chain before it is carried out.
 */
final class Recovery {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private static final ProblemReader SNAPSHOTS =
      ProblemReader.standard().withLimits(Limits.WRITTEN);

  /** The source of a fleet's entries. */
  interface Log {
    /** The first entries after a generation, at most {@code most}. */
    List<Entry> entries(long after, int most) throws StoreException;
  }

  /** The maximum number of entries that are read and carried out at a time. */
  static final int PAGE = 1_000;

  private final Log log;
  private final Head head;
  private final FleetEngine engine;

  private Distributor distributor;
  private long generation;
  private byte[] hash = Entry.beginning();

  /** The number of entries that were carried out, and their size in bytes. */
  private int entries;

  private long bytes;

  /**
   * The generation of the snapshot that the recovery began from, and its size in bytes, not
   * compressed.
   */
  private long snapshot;

  private long snapshotBytes;

  private Recovery(Log log, Head head, FleetEngine engine) {
    this.log = log;
    this.head = head;
    this.engine = engine;
  }

  /**
   * A recovered fleet.
   *
   * @param distributor the fleet
   * @param entries how many entries were carried out
   * @param bytes their size in bytes
   * @param snapshot the generation of the snapshot that the recovery began from; 0 where there was
   *     none
   * @param snapshotBytes the size of the snapshot in bytes, not compressed
   */
  record Found(
      Distributor distributor, int entries, long bytes, long snapshot, long snapshotBytes) {}

  /**
   * Recovers from the newest sound snapshot. Throws a FleetException where that is not possible.
   */
  static Found recover(Journal journal, Head head, FleetEngine engine) throws StoreException {
    for (Saved saved : journal.snapshots(head.fleet())) {
      if (saved.isSound() && saved.generation() <= head.generation() && isInLog(journal, saved)) {
        return from(journal, head, engine, saved);
      }
      LOG.log(
          System.Logger.Level.ERROR,
          "the snapshot of fleet ''{0}'' at generation {1} is damaged, or of a past that the log"
              + " does not have, and is not used",
          head.name(),
          saved.generation());
    }
    return from(journal, head, engine, null);
  }

  /**
   * Whether the log has the entry of a snapshot, or none of its generation any more. After the
   * store has gone back, it has another one there.
   */
  static boolean isInLog(Journal journal, Saved saved) throws StoreException {
    List<Entry> there = journal.entries(saved.fleet(), saved.generation() - 1, 1);
    return there.isEmpty()
        || there.get(0).generation() != saved.generation()
        || Arrays.equals(there.get(0).hash(), saved.entryHash());
  }

  /** Whether the store has the fleet of a head, and the log its entry; all of that is durable. */
  static boolean isDurable(Journal journal, Head head) throws StoreException {
    Optional<Head> now = journal.settled(head.fleet());
    if (now.filter(at -> at.name().equals(head.name())).isEmpty()) {
      return false;
    }
    List<Entry> there = journal.entries(head.fleet(), head.generation() - 1, 1);
    return !there.isEmpty() && Arrays.equals(there.get(0).hash(), head.hash());
  }

  /** Recovers from one snapshot; null for the beginning of the log. */
  static Found from(Journal journal, Head head, FleetEngine engine, Saved saved)
      throws StoreException {
    Log log = (after, most) -> journal.entries(head.fleet(), after, most);
    return new Recovery(log, head, engine).from(saved);
  }

  /**
   * Carries out on a fleet the entries that other processes have written since.
   *
   * @param distributor the fleet
   * @param at its present head
   * @param head the head that it is to reach
   * @return what was carried out
   * @throws FleetException if the log does not lead from one head to the other; the fleet must not
   *     be used afterwards
   */
  static Found advance(Distributor distributor, Head at, Head head, Log log) throws StoreException {
    Recovery recovery =
        new Recovery(
            log,
            head,
            again -> {
              throw new IllegalArgumentException("the fleet was created before");
            });
    recovery.distributor = distributor;
    recovery.generation = at.generation();
    recovery.hash = at.hash();
    return recovery.toHead();
  }

  private Found from(Saved saved) throws StoreException {
    if (saved != null) {
      generation = saved.generation();
      snapshot = generation;
      hash = saved.entryHash();
      try {
        byte[] plain = plain(saved.body());
        snapshotBytes = plain.length;
        distributor = engine.recover(SNAPSHOTS.read(plain).problem());
      } catch (IOException | IllegalArgumentException | LighthouseException wrong) {
        throw damaged("its snapshot at generation " + generation + " cannot be used: " + wrong);
      }
    }
    return toHead();
  }

  private Found toHead() throws StoreException {
    while (generation < head.generation()) {
      List<Entry> page = log.entries(generation, PAGE);
      if (page.isEmpty()) {
        throw damaged("its entry " + (generation + 1) + " is missing");
      }
      carryOut(page);
    }
    if (generation != head.generation() || !Arrays.equals(hash, head.hash())) {
      throw damaged("its log does not end with the entry that its row names, " + head.generation());
    }
    if (distributor == null) {
      throw damaged("it has no entry that created it");
    }
    return new Found(distributor, entries, bytes, snapshot, snapshotBytes);
  }

  private void carryOut(List<Entry> page) {
    List<Entry> sound = new ArrayList<>();
    for (Entry entry : page) {
      if (generation == head.generation()) {
        break;
      }
      if (entry.generation() != generation + 1) {
        throw damaged("its entry " + (generation + 1) + " is missing");
      }
      if (!entry.follows(hash)) {
        throw damaged("its entry " + entry.generation() + " was altered");
      }
      generation = entry.generation();
      hash = entry.hash();
      bytes += entry.size();
      sound.add(entry);
    }
    List<Effect> effects = effects(sound);
    for (int i = 0; i < effects.size(); i++) {
      try {
        carryOut(effects.get(i));
      } catch (IllegalArgumentException | LighthouseException wrong) {
        throw damaged(
            "its entry "
                + sound.get(i).generation()
                + " does not go on what was before: "
                + wrong.getMessage());
      }
      entries++;
    }
  }

  private void carryOut(Effect effect) {
    if (effect.problem().isPresent()) {
      distributor = engine.recover(effect.problem().get());
    } else if (distributor == null) {
      throw new IllegalArgumentException("the fleet was not created before");
    } else if (!effect.changes().isEmpty()) {
      distributor.apply(effect.changes());
    }
  }

  private List<Effect> effects(List<Entry> entries) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.write('[');
    for (int i = 0; i < entries.size(); i++) {
      if (i > 0) {
        text.write(',');
      }
      text.writeBytes(entries.get(i).body());
    }
    text.write(']');
    try {
      return Effect.read(new ByteArrayInputStream(text.toByteArray()));
    } catch (IOException | IllegalArgumentException wrong) {
      throw damaged(
          "one of its entries up to " + generation + " cannot be read: " + wrong.getMessage());
    }
  }

  private FleetException damaged(String what) {
    return damaged(head.name(), what);
  }

  /** The exception for a fleet that is damaged. */
  static FleetException damaged(String fleet, String what) {
    return new FleetException(
        FleetException.Kind.DAMAGED, "fleet '" + fleet + "' is not used: " + what);
  }

  /** The JSON in a snapshot's body. */
  static byte[] plain(byte[] body) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body), 1 << 16)) {
      return in.readAllBytes();
    }
  }

  /**
   * A snapshot's body.
   *
   * @param gzip the bytes
   * @param plain the number of bytes before compression
   */
  record Written(byte[] gzip, long plain) {}

  /** A problem as a snapshot's body. */
  static Written write(Problem problem) {
    byte[] plain = json(problem);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new FastGzip(bytes)) {
      out.write(plain);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new Written(bytes.toByteArray(), plain.length);
  }

  /** A problem in JSON; equal problems give equal bytes. */
  static byte[] json(Problem problem) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ProblemWriter.write(problem, bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Gzip at its fastest. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(ByteArrayOutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
