package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The end of {@code lighthouse serve} by a signal, as a process. */
class ServeExitTest {

  /** The command, whose last line is never read. */
  static final class WithoutReaderAtTheEnd {
    private WithoutReaderAtTheEnd() {}

    /** Its words are those of the command. */
    public static void main(String[] words) {
      FileOutputStream to = new FileOutputStream(FileDescriptor.out);
      OutputStream out =
          new OutputStream() {
            @Override
            public void write(int one) throws IOException {
              to.write(one);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
              while (new String(bytes, StandardCharsets.UTF_8).contains("stopped")) {
                LockSupport.park();
              }
              to.write(bytes, from, length);
            }
          };
      System.exit(Main.run(Run.terminal(out, OutputStream.nullOutputStream()), words));
    }
  }

  @Test
  void aReaderThatTakesNothingDoesNotKeepTheProcess() throws Exception {
    var command = Launch.ofTests(WithoutReaderAtTheEnd.class);
    command.add("serve");
    command.add("--port=0");
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader lines = process.inputReader()) {
      assertThat(lines.readLine()).startsWith("lighthouse listens on ");
      process.destroy();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
