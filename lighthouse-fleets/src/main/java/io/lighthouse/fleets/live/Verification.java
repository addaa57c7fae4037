package io.lighthouse.fleets.live;

import io.lighthouse.api.Distributor;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks all that a store holds of the fleets that are not gone: every hash, every snapshot against
 * the log before it, and that every fleet can be recovered. Reads only.
 */
public final class Verification {
  /** How often a fleet is read that others write to meanwhile. */
  private static final int TRIES = 3;

  private final Journal journal;
  private final FleetEngine engine;

  /**
   * A check of a store.
   *
   * @param journal the store
   * @param engine makes the distributors
   */
  public Verification(Journal journal, FleetEngine engine) {
    this.journal = journal;
    this.engine = engine;
  }

  /**
   * The result for one fleet.
   *
   * @param name its name
   * @param generation that of its newest entry
   * @param entries how many entries were carried out
   * @param faults what is wrong, in words; empty where all is well
   */
  public record Found(String name, long generation, int entries, List<String> faults) {
    /** Copies. */
    public Found {
      faults = List.copyOf(faults);
    }
  }

  /**
   * Checks every fleet that is not gone.
   *
   * @return the results, in the order in which the fleets were created
   * @throws StoreException if the store fails, or the rows of its fleets are damaged
   */
  public List<Found> verify() throws StoreException {
    List<Found> all = new ArrayList<>();
    for (Head head : journal.heads()) {
      if (!head.gone()) {
        all.add(verifyReadable(head));
      }
    }
    return all;
  }

  /** Checks a fleet of which a page may be malformed. */
  private Found verifyReadable(Head listed) throws StoreException {
    try {
      return verify(listed);
    } catch (StoreException failed) {
      if (!failed.isDamage()) {
        throw failed;
      }
      return new Found(
          listed.name(), listed.generation(), 0, List.of(String.valueOf(failed.getMessage())));
    }
  }

  /**
   * Checks a fleet; anew where others have written to it meanwhile, since then the parts that were
   * read may not fit together.
   */
  private Found verify(Head listed) throws StoreException {
    Head head = listed;
    for (int tries = 1; ; tries++) {
      List<Saved> snapshots = journal.snapshots(head.fleet());
      Found found = verify(head, snapshots);
      if (found.faults().isEmpty() || tries == TRIES) {
        return found;
      }
      Head now = journal.head(head.fleet()).orElse(head);
      if (now.isAt(head) && areAt(snapshots, journal.snapshots(head.fleet()))) {
        return found;
      }
      head = now;
    }
  }

  private static boolean areAt(List<Saved> some, List<Saved> others) {
    return some.stream()
        .map(Saved::generation)
        .toList()
        .equals(others.stream().map(Saved::generation).toList());
  }

  private Found verify(Head head, List<Saved> snapshots) throws StoreException {
    List<String> faults = new ArrayList<>();
    int entries = 0;
    List<Saved> sound = new ArrayList<>();
    for (Saved saved : snapshots) {
      if (!saved.isSound()) {
        faults.add("the snapshot at generation " + saved.generation() + " was altered");
      } else if (!Recovery.isInLog(journal, saved)) {
        faults.add(
            "the snapshot at generation "
                + saved.generation()
                + " is of another entry than the log has there; it is not used");
      } else {
        sound.add(saved);
      }
    }
    try {
      Saved from = beginning(head, sound);
      if (from != null) {
        checkBefore(from, faults);
      }
      for (Saved saved : sound) {
        if (saved != from) {
          compare(head, from, saved, faults);
        }
      }
      entries = Recovery.from(journal, head, engine, from).entries();
    } catch (FleetException damaged) {
      faults.add(damaged.getMessage());
    }
    return new Found(head.name(), head.generation(), entries, faults);
  }

  /**
   * Where to begin: at the log's beginning if the log still has it, otherwise at the oldest
   * snapshot.
   */
  private Saved beginning(Head head, List<Saved> sound) throws StoreException {
    boolean whole = journal.oldest(head.fleet()).orElse(0L) == 1;
    return whole || sound.isEmpty() ? null : sound.get(sound.size() - 1);
  }

  /**
   * Checks the entries that are kept before a snapshot: repeated calls get their answers. The first
   * one follows an entry that was deleted, so its own content cannot be checked. If its hash was
   * altered, the second one does not follow it.
   */
  private void checkBefore(Saved snapshot, List<String> faults) throws StoreException {
    Entry last = null;
    boolean checked = false; // Whether the last one follows the one before it.
    List<Entry> page;
    do {
      long after = last == null ? 0 : last.generation();
      page = journal.entries(snapshot.fleet(), after, Recovery.PAGE);
      for (Entry entry : page) {
        long expected = last == null ? entry.generation() : last.generation() + 1;
        if (expected > snapshot.generation()) {
          return;
        }
        if (entry.generation() != expected) {
          faults.add(before(expected, "") + "is missing");
          return;
        }
        if (last != null && !entry.follows(last.hash())) {
          faults.add(before(expected, checked ? "" : " or the one before it") + "was altered");
          return;
        }
        checked = last != null;
        last = entry;
      }
    } while (!page.isEmpty());
    if (last != null && last.generation() < snapshot.generation()) {
      faults.add(before(last.generation() + 1, "") + "is missing");
    }
  }

  private static String before(long generation, String orAnother) {
    return "entry " + generation + orAnother + ", from before the snapshots, ";
  }

  private void compare(Head head, Saved from, Saved to, List<String> faults) throws StoreException {
    Head then = new Head(head.fleet(), head.name(), to.generation(), to.entryHash(), false);
    Distributor replayed = Recovery.from(journal, then, engine, from).distributor();
    try {
      if (!Arrays.equals(Recovery.json(Problem.of(replayed)), Recovery.plain(to.body()))) {
        faults.add(
            "the snapshot at generation " + to.generation() + " is not what its log leads to");
      }
    } catch (IOException broken) {
      faults.add("the snapshot at generation " + to.generation() + " cannot be read: " + broken);
    }
  }

  /**
   * A fleet as it was after its newest entry.
   *
   * @param name the name of the fleet
   * @return the fleet, as a problem without workloads to place
   * @throws StoreException if the store fails
   * @throws FleetException if there is no such fleet, or it is damaged
   */
  public Problem export(String name) throws StoreException {
    for (int tries = 1; ; tries++) {
      Head head = find(name);
      try {
        return Problem.of(Recovery.recover(journal, head, engine).distributor());
      } catch (FleetException damaged) {
        if (tries == TRIES || find(name).isAt(head)) {
          throw damaged; // It is as it was when it was read.
        }
      } catch (StoreException failed) {
        if (!failed.isDamage()) {
          throw failed;
        }
        throw Recovery.damaged(name, failed.getMessage());
      }
    }
  }

  private Head find(String name) throws StoreException {
    return journal.heads().stream()
        .filter(head -> !head.gone() && head.name().equals(name))
        .findFirst()
        .orElseThrow(() -> Fleets.noSuchFleet(name));
  }
}
