package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Many short lives of a fleet on a store that fails, each from its seed; and lives that must fail.
 */
class LivesTest {
  private static final int STEPS = 12;

  private static int seeds() {
    return Integer.getInteger("lighthouse.fleets.seeds", 500);
  }

  @Test
  void nothingIsLostAndNothingIsDoneTwiceHoweverTheStoreFails() {
    long failures = LongStream.range(0, seeds()).parallel().map(LivesTest::failuresOfALife).sum();
    assertThat(failures).as("the store did fail").isGreaterThan(seeds());
  }

  private static long failuresOfALife(long seed) {
    FaultyJournal store = new FaultyJournal(new Random(seed));
    try {
      new Life(seed, store, () -> {}).live(STEPS, store::calm);
    } catch (StoreException | RuntimeException | AssertionError thrown) {
      throw new AssertionError("seed " + seed + ": " + thrown, thrown);
    }
    return store.failures();
  }

  /** Stores and a way to use one that break a promise: the same lives must see each of them. */
  @Nested
  class Planted {
    private void caught(java.util.function.LongFunction<Wrong> made) {
      assertThatThrownBy(
              () -> {
                for (long seed = 0; seed < 300; seed++) {
                  Wrong store = made.apply(seed);
                  new Life(seed, store, store::crash).live(STEPS, () -> {});
                }
              })
          .isInstanceOfAny(AssertionError.class, RuntimeException.class);
    }

    @Test
    void aStoreThatDoesNotSynchroniseIsCaught() {
      caught(
          seed ->
              new Wrong() {
                private final MemoryJournal disk = new MemoryJournal();
                private int writes;

                @Override
                public synchronized void append(Head before, List<Entry> entries, Head after)
                    throws StoreException {
                  super.append(before, entries, after);
                  if (++writes % 3 == 0 || before == null) {
                    disk.become(this);
                  }
                }

                @Override
                void crash() {
                  become(disk);
                }
              });
    }

    @Test
    void aStoreThatSwallowsAnErrorIsCaught() {
      caught(
          seed ->
              new Wrong() {
                private int writes;

                @Override
                public synchronized void append(Head before, List<Entry> entries, Head after)
                    throws StoreException {
                  if (++writes % 5 != 0) {
                    super.append(before, entries, after);
                  }
                }
              });
    }

    @Test
    void aStoreThatKeepsAPartOfAGroupIsCaught() {
      caught(
          seed ->
              new Wrong() {
                private int writes;

                @Override
                public synchronized void append(Head before, List<Entry> entries, Head after)
                    throws StoreException {
                  if (++writes % 4 == 0 && before != null) {
                    entries.subList(0, (entries.size() + 1) / 2).forEach(this::put);
                    put(after);
                    throw new StoreException("the disk is full", null);
                  }
                  super.append(before, entries, after);
                }
              });
    }

    @Test
    void keysThatAreForgottenAreCaught() {
      caught(
          seed ->
              new Wrong() {
                @Override
                public synchronized Optional<Entry> byKey(long fleet, String token, String key) {
                  return Optional.empty();
                }
              });
    }

    @Test
    void aSnapshotOfAnotherMomentIsCaught() {
      caught(
          seed ->
              new Wrong() {
                private byte[] last;

                @Override
                public synchronized void save(Saved snapshot, Retention retention)
                    throws StoreException {
                  byte[] body = last == null ? snapshot.body() : last;
                  last = snapshot.body();
                  super.save(
                      Saved.of(snapshot.fleet(), snapshot.generation(), snapshot.entryHash(), body),
                      retention);
                }
              });
    }

    @Test
    void anEntryThatWasAlteredIsCaught() {
      caught(
          seed ->
              new Wrong() {
                @Override
                public synchronized List<Entry> entries(long fleet, long after, int most)
                    throws StoreException {
                  List<Entry> found = new ArrayList<>(super.entries(fleet, after, most));
                  found.replaceAll(entry -> entry.generation() == 3 ? altered(entry) : entry);
                  return found;
                }
              });
    }

    private Entry altered(Entry entry) {
      byte[] body = entry.body().clone();
      body[body.length - 3] ^= 1;
      return new Entry(
          entry.fleet(),
          entry.generation(),
          entry.at(),
          entry.token(),
          entry.key(),
          entry.request(),
          entry.status(),
          entry.answer(),
          body,
          entry.hash());
    }

    /** A store of which a crash may leave less than there was. */
    private abstract static class Wrong extends MemoryJournal {
      void crash() {}
    }

    @Test
    void theSameLivesOnASoundStoreFindNothing() throws StoreException {
      for (long seed = 0; seed < 300; seed++) {
        new Life(seed, new MemoryJournal(), () -> {}).live(STEPS, () -> {});
      }
    }
  }
}
