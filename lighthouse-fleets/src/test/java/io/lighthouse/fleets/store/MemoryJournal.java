package io.lighthouse.fleets.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A journal in memory: what a store promises and no more. A copy of it is what a crash leaves. */
public class MemoryJournal implements Journal {
  private final Map<Long, Head> heads = new TreeMap<>();
  private final Map<Long, TreeMap<Long, Entry>> logs = new TreeMap<>();
  private final Map<Long, List<Saved>> saved = new TreeMap<>();

  /** Holds nothing. */
  public MemoryJournal() {}

  /** What another holds at this moment. */
  public synchronized void become(MemoryJournal other) {
    heads.clear();
    heads.putAll(other.heads);
    logs.clear();
    other.logs.forEach((fleet, log) -> logs.put(fleet, new TreeMap<>(log)));
    saved.clear();
    other.saved.forEach((fleet, list) -> saved.put(fleet, new ArrayList<>(list)));
  }

  @Override
  public synchronized List<Head> heads() throws StoreException {
    return List.copyOf(heads.values());
  }

  @Override
  public synchronized Optional<Head> head(long fleet) throws StoreException {
    return Optional.ofNullable(heads.get(fleet));
  }

  @Override
  public synchronized void append(Head before, List<Entry> entries, Head after)
      throws StoreException {
    Head present = heads.get(after.fleet());
    boolean expected = before == null ? present == null : present != null && present.isAt(before);
    if (!expected) {
      throw new StoreException("the fleet is elsewhere", null);
    }
    for (Entry entry : entries) {
      if (entry.key() != null && find(after.fleet(), entry.token(), entry.key()).isPresent()) {
        throw new StoreException("the key is there already", null);
      }
      put(entry);
    }
    put(after);
  }

  protected final void put(Head head) {
    heads.put(head.fleet(), head);
  }

  protected final void put(Entry entry) {
    logs.computeIfAbsent(entry.fleet(), fleet -> new TreeMap<>()).put(entry.generation(), entry);
  }

  private TreeMap<Long, Entry> log(long fleet) {
    return logs.getOrDefault(fleet, new TreeMap<>());
  }

  @Override
  public synchronized List<Entry> entries(long fleet, long after, int most) throws StoreException {
    return log(fleet).tailMap(after, false).values().stream().limit(most).toList();
  }

  @Override
  public synchronized List<LogEvent> events(long fleet, long after, int most, long bytes)
      throws StoreException {
    List<LogEvent> events = new ArrayList<>();
    long total = 0;
    for (Entry entry : entries(fleet, after, most)) {
      int size = entry.body().length;
      total += size;
      if (total <= bytes || events.isEmpty()) {
        events.add(
            new LogEvent(
                entry.generation(),
                entry.at(),
                entry.hash(),
                size,
                total <= bytes ? Optional.of(entry.body()) : Optional.empty()));
      }
    }
    return events;
  }

  @Override
  public synchronized Optional<Entry> byKey(long fleet, String token, String key)
      throws StoreException {
    return find(fleet, token, key);
  }

  private Optional<Entry> find(long fleet, String token, String key) {
    return log(fleet).values().stream()
        .filter(entry -> entry.token().equals(token) && key.equals(entry.key()))
        .findFirst();
  }

  @Override
  public synchronized Optional<Long> oldest(long fleet) throws StoreException {
    return log(fleet).keySet().stream().findFirst();
  }

  @Override
  public synchronized List<Saved> snapshots(long fleet) throws StoreException {
    return List.copyOf(saved.getOrDefault(fleet, List.of()));
  }

  @Override
  public synchronized void save(Saved snapshot, Retention retention) throws StoreException {
    List<Saved> list = saved.computeIfAbsent(snapshot.fleet(), fleet -> new ArrayList<>());
    list.add(snapshot);
    list.sort(Comparator.comparingLong(Saved::generation).reversed());
    while (list.size() > 2) {
      list.remove(2);
    }
    if (list.size() == 2) {
      long older = list.get(1).generation();
      TreeMap<Long, Entry> log = log(snapshot.fleet());
      while (!log.isEmpty() && log.firstKey() <= older && mayGo(log, snapshot, retention)) {
        log.pollFirstEntry();
      }
    }
  }

  private static boolean mayGo(TreeMap<Long, Entry> log, Saved snapshot, Retention retention) {
    Entry first = log.firstEntry().getValue();
    return first.at() < retention.oldest()
        || first.generation() <= snapshot.generation() - retention.most()
            && first.at() < retention.youngest();
  }

  @Override
  public synchronized void forget(long fleet) throws StoreException {
    if (heads.containsKey(fleet) && heads.get(fleet).gone()) {
      logs.remove(fleet);
      saved.remove(fleet);
    }
  }

  @Override
  public List<String> check() {
    return List.of();
  }

  @Override
  public void backup(Path file) {
    throw new UnsupportedOperationException("there is no file");
  }

  @Override
  public void close() {}

  @Override
  public Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
      throws StoreException {
    for (Head head : heads()) {
      if (head.gone() && head.name().equals(name)) {
        Optional<Entry> found =
            byKey(head.fleet(), token, key)
                .filter(entry -> Arrays.equals(entry.request(), request));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }
}
