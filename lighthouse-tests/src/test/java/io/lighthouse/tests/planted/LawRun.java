package io.lighthouse.tests.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.lighthouse.tests.referee.Law;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs one law of one contract, as a build would, and keeps what became of it. */
final class LawRun implements TestExecutionListener {
  /** Far more than a law needs: it stops at the first finding. */
  static final int TRIES = 5000;

  private TestExecutionResult result;

  private LawRun() {}

  /** Runs a law; nothing where it is kept, else what it reports. */
  static Optional<Throwable> of(Class<?> contract, String law, int tries, boolean shrink) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(contract, method(contract, law)))
            .filters(EngineFilter.includeEngines("jqwik"))
            .configurationParameter("jqwik.tries.default", Integer.toString(tries))
            .configurationParameter("jqwik.shrinking.default", shrink ? "BOUNDED" : "OFF")
            .configurationParameter("jqwik.failures.after.default", "RANDOM_SEED")
            // Another one than that of a test run that is going on in another process.
            .configurationParameter(
                "jqwik.database", System.getProperty("jqwik.database", "target/jqwik") + "-planted")
            .configurationParameter("jqwik.reporting.usejunitplatform", "true")
            .build();
    LawRun run = new LawRun();
    LauncherFactory.create().execute(request, run);
    if (run.result == null) {
      throw new IllegalStateException("no law " + law + " was run in " + contract);
    }
    return run.result.getThrowable();
  }

  /**
   * A property of several laws may come upon another of them first, or upon nothing where the fault
   * shows rarely, so some runs are allowed. A fault belongs to the law that most runs report: the
   * rarest of them is reported by 88 of 100.
   */
  static String reportOf(Class<?> contract, String property, Law law, boolean shrink) {
    String report = "";
    for (int run = 0; run < 20 && !report.startsWith("broken law: " + law.sentence()); run++) {
      Optional<Throwable> found = of(contract, property, TRIES, shrink);
      if (found.isPresent()) {
        assertCaught(found);
        report = found.get().getMessage();
      }
    }
    return report;
  }

  static void assertCaught(Optional<Throwable> report) {
    assertThat(report).as("the law's report").isPresent();
    assertThat(report.orElseThrow())
        .as("a law's own report, not some accident")
        .isInstanceOf(AssertionError.class);
  }

  private static Method method(Class<?> contract, String law) {
    for (Class<?> type = contract; type != null; type = type.getSuperclass()) {
      Optional<Method> found =
          Arrays.stream(type.getDeclaredMethods())
              .filter(method -> method.getName().equals(law))
              .findFirst();
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new IllegalStateException("no law " + law + " in " + contract);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult finished) {
    if (test.isTest()) {
      result = finished;
    }
  }
}
