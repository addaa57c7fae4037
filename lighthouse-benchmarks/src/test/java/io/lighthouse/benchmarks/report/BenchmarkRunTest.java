package io.lighthouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarkRunTest {
  @ParameterizedTest
  @ValueSource(strings = {"-h", "--help"})
  void printsItsUsageAndNoError(String option) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      BenchmarkRun.main(new String[] {option});
    } finally {
      System.setOut(before);
    }

    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("usage: run ").contains("parts: [");
  }
}
