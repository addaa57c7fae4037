package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A store that fails at random, in the ways that a store may fail. A call fails before or after its
 * operation, and some calls in a row fail. For lack of room only writes fail.
 */
class FaultyJournal extends MemoryJournal {
  private final Random dice;

  /** The number of next calls that fail before it works again. */
  private int away;

  private boolean full;
  private boolean calm;
  private int failures;

  FaultyJournal(Random dice) {
    this.dice = dice;
  }

  /** From now on nothing fails any more. */
  void calm() {
    calm = true;
    away = 0;
    full = false;
  }

  int failures() {
    return failures;
  }

  private void fail(String how) throws StoreException {
    failures++;
    throw new StoreException("planned failure: " + how, null);
  }

  private void mayFail() throws StoreException {
    if (calm) {
      return;
    }
    if (away > 0) {
      away--;
      fail("away");
    }
    if (dice.nextInt(60) == 0) {
      away = dice.nextInt(4);
      fail("before");
    }
  }

  @Override
  public synchronized void append(Head before, List<Entry> entries, Head after)
      throws StoreException {
    mayFail();
    if (!calm && dice.nextInt(full ? 6 : 40) == 0) {
      full = !full;
    }
    if (full) {
      fail("full");
    }
    super.append(before, entries, after);
    if (!calm && dice.nextInt(15) == 0) {
      away = dice.nextInt(4);
      fail("after");
    }
  }

  @Override
  public synchronized void save(Saved snapshot, Retention retention) throws StoreException {
    mayFail();
    if (full) {
      fail("full");
    }
    super.save(snapshot, retention);
    if (!calm && dice.nextInt(10) == 0) {
      fail("after");
    }
  }

  @Override
  public synchronized Optional<Head> head(long fleet) throws StoreException {
    mayFail();
    return super.head(fleet);
  }

  @Override
  public synchronized List<Entry> entries(long fleet, long after, int most) throws StoreException {
    mayFail();
    return super.entries(fleet, after, most);
  }

  @Override
  public synchronized Optional<Entry> byKey(long fleet, String token, String key)
      throws StoreException {
    mayFail();
    return super.byKey(fleet, token, key);
  }

  @Override
  public synchronized List<Saved> snapshots(long fleet) throws StoreException {
    mayFail();
    return super.snapshots(fleet);
  }
}
