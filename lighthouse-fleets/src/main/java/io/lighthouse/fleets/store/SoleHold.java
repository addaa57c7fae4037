package io.lighthouse.fleets.store;

import java.util.List;
import java.util.Optional;

/**
 * The turn of a fleet in a store that only one process uses. That process orders the turns itself.
 */
record SoleHold(Journal journal, long fleet) implements Hold {
  @Override
  public Optional<Head> head() throws StoreException {
    return journal.head(fleet);
  }

  @Override
  public List<Entry> entries(long after, int most) throws StoreException {
    return journal.entries(fleet, after, most);
  }

  @Override
  public Optional<Entry> byKey(String token, String key) throws StoreException {
    return journal.byKey(fleet, token, key);
  }

  @Override
  public boolean isFirst(String name, long of) throws StoreException {
    return journal.isFirst(name, of);
  }

  @Override
  public Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
      throws StoreException {
    return journal.byKeyOfGone(name, token, key, request);
  }

  @Override
  public void append(Head before, List<Entry> entries, Head after) throws StoreException {
    journal.append(before, entries, after);
  }

  @Override
  public void keep() {}

  @Override
  public void close() {}
}
