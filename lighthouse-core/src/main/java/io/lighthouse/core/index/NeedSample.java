package io.lighthouse.core.index;

import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/**
 * The recent requirements of each resource: the last {@value #SIZE} samples, from which the levels
 * of the index are learned. It affects cost only, never an answer.
 */
public final class NeedSample {
  private static final int SIZE = 512;

  /** 2 to the power of 64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final ResourceTable resources;

  /** By id: the samples; null where nothing was required of it. */
  private Ring[] rings = new Ring[8];

  /** How many batches there have been. */
  private long batches;

  public NeedSample(Ledger ledger) {
    resources = ledger.resources();
  }

  /**
   * Samples a batch evenly, at most as many workloads as the sample holds. Once there have been
   * many batches, only a fourth of those with a single workload is sampled. A multiplicative hash
   * selects these, so that no regular traffic is sampled one-sidedly (Knuth, The Art of Computer
   * Programming 3, 6.4). With each of them sampled, {@code CliffBenchmark} (PLAIN, 10,000 nodes)
   * took 1.18 times as long on 2026-11-29.
   */
  public void take(Batch batch) {
    batches++;
    if (batch.size() == 1 && batches > SIZE && batches * GOLDEN >>> 62 != 0) {
      return;
    }
    int step = Math.max(1, batch.size() / SIZE);
    for (int i = 0; i < batch.size(); i += step) {
      int[] ids = batch.ids(i);
      for (int k = 0; k < ids.length; k++) {
        int id = ids[k];
        if (id < rings.length && rings[id] != null && rings[id].seen == batches) {
          rings[id].add(batch.amounts(i)[k]);
        } else if (resources.nodesWith(id) > 0) {
          ring(id).add(batch.amounts(i)[k]);
        }
      }
    }
  }

  /** Whether anything was required of a resource. */
  public boolean has(int id) {
    return id < rings.length && rings[id] != null && rings[id].isOf(id);
  }

  /**
   * At most {@code most} levels, ascending: the needs themselves where they are few, else
   * quantiles.
   */
  public long[] levels(int id, int most) {
    long[] needs = rings[id].sorted();
    long[] different = different(needs);
    if (different.length <= most) {
      return different;
    }
    long[] quantiles = new long[most];
    Arrays.setAll(quantiles, i -> needs[i * needs.length / most]);
    return different(quantiles);
  }

  /** Each of some ascending numbers once. */
  private static long[] different(long[] ascending) {
    long[] different = new long[ascending.length];
    int count = 0;
    for (long number : ascending) {
      if (count == 0 || number != different[count - 1]) {
        different[count++] = number;
      }
    }
    return Arrays.copyOf(different, count);
  }

  private Ring ring(int id) {
    if (id >= rings.length) {
      rings = Arrays.copyOf(rings, Math.max(id + 1, 2 * rings.length));
    }
    if (rings[id] == null || !rings[id].isOf(id)) {
      rings[id] = new Ring(resources.resource(id), resources.digits(id));
    }
    rings[id].seen = batches;
    return rings[id];
  }

  /**
   * The last needs of one resource at one scale. A resource of another name or scale starts without
   * any.
   */
  private final class Ring {
    private final String name;
    private final int digits;
    private long[] needs = new long[16];
    private int taken;

    /** The last batch that required the resource under this name and at this scale. */
    private long seen;

    Ring(String name, int digits) {
      this.name = name;
      this.digits = digits;
    }

    boolean isOf(int id) {
      return name.equals(resources.resource(id)) && digits == resources.digits(id);
    }

    void add(long need) {
      if (taken == needs.length && taken < SIZE) {
        needs = Arrays.copyOf(needs, 2 * taken);
      }
      needs[taken % needs.length] = need;
      taken++;
    }

    long[] sorted() {
      long[] copy = Arrays.copyOf(needs, Math.min(taken, needs.length));
      Arrays.sort(copy);
      return copy;
    }
  }
}
