package io.lighthouse.kubernetes.cluster.device;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The devices that are kept for some pods while another takes its turn. The pods of a gang take
 * their turns one after the other, and mostly devices are kept from each of them for the same pods.
 * So what a search has found for a pod stays known while the gang is decided (page 178 of the
 * decisions).
 *
 * <p>Another search would find the same: members of the gang only take devices, and none that are
 * kept from them. Only a search that ended at its limit of steps might find some later, when fewer
 * devices are free. It counts as if it did not, so that it does not take its steps again. For one
 * thread.
 */
final class KeptDevices {
  private final DeviceUsage usage;

  /** What the searches of this gang have found. */
  private final Map<Search, Found> known = new HashMap<>();

  /** What is kept now, by the key of the claim. */
  private final Map<String, Allocation> kept = new HashMap<>();

  /** What was kept last; null for nothing. */
  private Found last;

  /**
   * A search for devices of a pod.
   *
   * @param after what was kept last before it, which is the end of a chain of searches
   * @param claims the keys of the claims that are to get devices
   */
  private record Search(Found after, String podUid, Set<String> claims) {}

  /**
   * The devices that were found, by the key of the claim; none where some lack. It is equal to
   * itself alone, and so stands for all searches up to its own.
   */
  private static final class Found {
    private final Map<String, Allocation> devices;

    Found(Map<String, Allocation> devices) {
      this.devices = devices;
    }
  }

  KeptDevices(DeviceUsage usage) {
    this.usage = usage;
  }

  /** Whether a claim has devices kept. */
  boolean has(String claim) {
    return kept.containsKey(claim);
  }

  /**
   * Keeps what is known for a pod and some of its claims.
   *
   * @return false where it is not known, and nothing happens
   */
  boolean keepKnown(String podUid, Set<String> claims) {
    Found found = known.get(new Search(last, podUid, claims));
    if (found != null) {
      keep(found);
    }
    return found != null;
  }

  /** Keeps what a search has found for a pod and some of its claims. */
  void keep(String podUid, Set<String> claims, Map<String, Allocation> devices) {
    Found found = new Found(devices);
    known.put(new Search(last, podUid, claims), found);
    keep(found);
  }

  private void keep(Found found) {
    found.devices.values().forEach(usage::add);
    kept.putAll(found.devices);
    last = found;
  }

  /** Keeps nothing any more. */
  void keepNothing() {
    kept.values().forEach(usage::remove);
    kept.clear();
    last = null;
  }

  /** Forgets what was found: another pod or gang takes its turn. */
  void forget() {
    known.clear();
  }
}
