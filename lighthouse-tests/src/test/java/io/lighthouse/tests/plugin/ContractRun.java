package io.lighthouse.tests.plugin;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the contract test of a plug-in as its own build would, in a process of its own. */
public final class ContractRun {
  private ContractRun() {}

  /**
   * Prints how many laws were kept and broken.
   *
   * @param arguments the class of the test, jqwik's database, how often a law is tried
   */
  public static void main(String[] arguments) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(arguments[0]))
                .configurationParameter("jqwik.tries.default", arguments[2])
                .configurationParameter("jqwik.database", arguments[1])
                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                .build(),
            summary);
    summary.getSummary().printFailuresTo(new PrintWriter(System.out, true));
    System.out.println(
        "kept "
            + summary.getSummary().getTestsSucceededCount()
            + ", broken "
            + summary.getSummary().getTestsFailedCount());
    System.exit(summary.getSummary().getTestsFailedCount() == 0 ? 0 : 1);
  }
}
