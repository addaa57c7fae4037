package io.lighthouse.benchmarks.quality;

import io.lighthouse.benchmarks.problem.ProblemFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sets of instances: public ones from files that are not part of the project, and generated ones.
 */
public enum InstanceSet {
  /** Vector packing instances with a known optimum, equal nodes, 3 to 10 resources. */
  VECTOR_PACKING("vector packing", "data/vector-packing", vectors("new-sample.jsonl.gz")),
  /** The same, where three workloads fill a node without slack. */
  TRIPLETS("triplets", "data/vector-packing", vectors("triplet-sample.jsonl.gz")),
  /** Machine reassignment, Google's challenge at ROADEF 2012, reduced to capacity and aversion. */
  REASSIGNMENT_1("machine reassignment a1_1", "data/machine-reassignment", problem("a1_1.json.gz")),
  REASSIGNMENT_2("machine reassignment a1_2", "data/machine-reassignment", problem("a1_2.json.gz")),
  REASSIGNMENT_3("machine reassignment a1_3", "data/machine-reassignment", problem("a1_3.json.gz")),
  REASSIGNMENT_4("machine reassignment a1_4", "data/machine-reassignment", problem("a1_4.json.gz")),
  REASSIGNMENT_5("machine reassignment a1_5", "data/machine-reassignment", problem("a1_5.json.gz")),
  /** Generated: the size of its instance b_1, each node of a kind of its own. */
  ROADEF_B1("100 different nodes x 5,000", different(100, 5_000, 12)),
  /** Generated: the size of its instance b_6. */
  ROADEF_B6("200 different nodes x 40,000", different(200, 40_000, 6)),
  /** Generated: the size of its instance b_10. */
  ROADEF_B10("5,000 different nodes x 40,000", different(5_000, 40_000, 3)),
  /** Virtual machines on servers of many sizes, with aversion groups. */
  SERVERS_C1("servers C1", "data/servers", problem("huawei-C1.json.gz")),
  SERVERS_C2("servers C2", "data/servers", problem("huawei-C2.json.gz")),
  SERVERS_C3("servers C3", "data/servers", problem("huawei-C3.json.gz")),
  /** Generated: 1,000 nodes of four shapes, 10,000 workloads, three seeds. */
  FLEETS_80("1,000 nodes x 10,000, 80 %", mixed(1_000, 80, 3)),
  /** The same, nearly full. */
  FLEETS_95("1,000 nodes x 10,000, 95 %", mixed(1_000, 95, 3)),
  /** Generated: 10,000 nodes. */
  LARGE_80("10,000 nodes x 100,000, 80 %", mixed(10_000, 80, 1)),
  /** The same, nearly full. */
  LARGE_95("10,000 nodes x 100,000, 95 %", mixed(10_000, 95, 1)),
  /** Generated: 100,000 nodes. */
  HUGE_80("100,000 nodes x 1,000,000, 80 %", mixed(100_000, 80, 1));

  /** Reads or makes the instances of a set. */
  private interface Source {
    List<Instance> instances(String title, Path folder) throws IOException;
  }

  private final String title;

  /** In the folder with what is not part of the project; null where it is generated. */
  private final String folder;

  private final Source source;

  InstanceSet(String title, Source source) {
    this(title, null, source);
  }

  InstanceSet(String title, String folder, Source source) {
    this.title = title;
    this.folder = folder;
    this.source = source;
  }

  private static Source vectors(String file) {
    return (title, folder) -> VectorPackingFile.read(folder.resolve(file));
  }

  private static Source problem(String file) {
    return (title, folder) ->
        List.of(new Instance(title, ProblemFile.readGzipped(folder.resolve(file)), 0));
  }

  private static Source different(int nodes, int workloads, int resources) {
    return (title, folder) ->
        List.of(new Instance(title, DifferentNodes.generate(nodes, workloads, resources, 1), 0));
  }

  private static Source mixed(int nodes, int percent, int seeds) {
    return (title, folder) ->
        IntStream.rangeClosed(1, seeds)
            .mapToObj(
                seed ->
                    new Instance(
                        title + ", seed " + seed, MixedFleet.generate(nodes, percent, seed), 0))
            .toList();
  }

  /** Its name in tables. */
  public String title() {
    return title;
  }

  /** Its path within the folder of data; null where it is generated. */
  public String folder() {
    return folder;
  }

  /** Its instances in a fixed order: all, or every n-th with the first. */
  public List<Instance> instances(Path data, int every) throws IOException {
    List<Instance> all = source.instances(title, folder == null ? data : data.resolve(folder));
    return IntStream.range(0, all.size()).filter(i -> i % every == 0).mapToObj(all::get).toList();
  }
}
