package io.lighthouse.kubernetes.cluster.volume;

import io.lighthouse.api.Condition;
import io.lighthouse.kubernetes.cluster.object.LabelLevels;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The zones and regions that the labels of a volume name, as the stock plug-in VolumeZone reads
 * them.
 */
public final class VolumeZones {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";

  /** The labels of volumes and nodes that are compared, and the present name of each. */
  private static final List<List<String>> LABELS =
      List.of(
          List.of(OLD_ZONE, ZONE),
          List.of(OLD_REGION, REGION),
          List.of(ZONE, ZONE),
          List.of(REGION, REGION));

  /** What stands between the zones of a volume in several zones. */
  private static final String BETWEEN_ZONES = "__";

  private VolumeZones() {}

  /**
   * The zones and regions of a volume, as conditions. A node without any such label will do, and an
   * old label of the volume is compared with the present one of a node that lacks the old one.
   */
  public static List<Condition> conditions(VolumeFacts volume) {
    List<Condition> found = new ArrayList<>();
    for (List<String> names : LABELS) {
      String value = volume.labels().get(names.get(0));
      Set<String> zones = value == null ? Set.of() : zones(value);
      if (!zones.isEmpty()) {
        String level = LabelLevels.level(names.get(0));
        String present = LabelLevels.level(names.get(1));
        List<List<Condition>> ways = new ArrayList<>();
        ways.add(List.of(new Condition.In(level, zones)));
        if (!present.equals(level)) {
          ways.add(List.of(new Condition.Nowhere(level), new Condition.In(present, zones)));
        }
        ways.add(
            List.of(
                new Condition.Nowhere(OLD_ZONE),
                new Condition.Nowhere(OLD_REGION),
                new Condition.Nowhere(ZONE),
                new Condition.Nowhere(REGION)));
        found.add(new Condition.Any(ways));
      }
    }
    return found;
  }

  /** The zones in a label; none where one of them is empty: then the label does not count. */
  private static Set<String> zones(String value) {
    Set<String> zones = new TreeSet<>();
    for (String zone : value.split(BETWEEN_ZONES, -1)) {
      if (zone.isBlank()) {
        return Set.of();
      }
      zones.add(zone.trim());
    }
    return zones;
  }
}
