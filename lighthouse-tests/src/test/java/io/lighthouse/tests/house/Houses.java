package io.lighthouse.tests.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;

/** Where the compiled modules are. */
public final class Houses {
  /** A class of each published module that these tests run with. */
  public static final List<String> LANDMARKS =
      List.of(
          "io.lighthouse.api.quantity.Quantity",
          "io.lighthouse.core.Distributors",
          "io.lighthouse.strategies.Prioritized",
          "io.lighthouse.json.Problem",
          "io.lighthouse.scheduler.manager.SchedulingManager",
          "io.lighthouse.fleets.live.Fleets",
          "io.lighthouse.picture.Picture",
          "io.lighthouse.kubernetes.cluster.decide.Cluster",
          "io.lighthouse.server.PlacementService",
          "io.lighthouse.cli.Main",
          "io.lighthouse.tests.contract.StrategyContract");

  static final String API = "io.lighthouse.api..";
  static final String CORE = "io.lighthouse.core..";
  static final String STRATEGIES = "io.lighthouse.strategies..";
  static final String JSON = "io.lighthouse.json..";
  static final String SCHEDULER = "io.lighthouse.scheduler..";
  static final String FLEETS = "io.lighthouse.fleets..";
  static final String PICTURE = "io.lighthouse.picture..";
  static final String KUBERNETES = "io.lighthouse.kubernetes..";
  static final String SERVER = "io.lighthouse.server..";
  static final String CLI = "io.lighthouse.cli..";
  static final String JETTY = "org.eclipse.jetty..";
  static final String KIT = "io.lighthouse.tests..";

  private Houses() {}

  /** The classes of all modules, without tests. */
  static JavaClasses classes() {
    return new ClassFileImporter()
        .importLocations(LANDMARKS.stream().map(Houses::root).map(Location::of).toList());
  }

  /** The folder or jar of a class, as a path. */
  public static Path pathOf(String landmark) {
    URI root = root(landmark);
    if (root.getScheme().equals("jar")) {
      String inside = root.getSchemeSpecificPart();
      return Path.of(URI.create(inside.substring(0, inside.indexOf('!'))));
    }
    return Path.of(root);
  }

  /** Where a class was read from, whether it is in a named module or not. */
  private static URI root(String landmark) {
    String file = landmark.replace('.', '/') + ".class";
    try {
      URL url = Class.forName(landmark).getResource("/" + file);
      String text = url.toURI().toString();
      return new URI(text.substring(0, text.length() - file.length()));
    } catch (ClassNotFoundException | URISyntaxException missing) {
      throw new IllegalStateException("no " + landmark, missing);
    }
  }
}
