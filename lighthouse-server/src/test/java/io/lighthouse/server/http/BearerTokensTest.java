package io.lighthouse.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BearerTokensTest {
  private static final Duration LATER = Duration.ofSeconds(2);

  @TempDir private Path folder;

  /** Makes no hash in the present thread. */
  private static final class NoMemory extends Provider {
    private static final long serialVersionUID = 1L;

    NoMemory(Thread thread) {
      super("no-memory", "1", "for tests");
      putService(
          new Service(this, "MessageDigest", "SHA-256", "none", List.of(), Map.of()) {
            @Override
            public Object newInstance(Object parameter)
                throws java.security.NoSuchAlgorithmException {
              if (Thread.currentThread() == thread) {
                throw new OutOfMemoryError("planted");
              }
              throw new java.security.NoSuchAlgorithmException("of another provider");
            }
          });
    }
  }

  /** A token that was taken out of the file must not stay valid. */
  @Test
  void areReadAgainWhereMemoryWasLackingForThem() throws Exception {
    Path file = Files.writeString(folder.resolve("tokens"), "old admin\n");
    BearerTokens tokens = new BearerTokens(file);
    Files.writeString(file, "other admin\n");
    long now = System.nanoTime() + LATER.toNanos();
    Provider none = new NoMemory(Thread.currentThread());
    Security.insertProviderAt(none, 1);
    try {
      assertThatThrownBy(() -> tokens.due(now).run()).isInstanceOf(OutOfMemoryError.class);
    } finally {
      Security.removeProvider(none.getName());
    }
    tokens.due(now + LATER.toNanos()).run();
    assertThat(tokens.grant("Bearer old")).isEmpty();
    assertThat(tokens.grant("Bearer other")).isPresent();
  }
}
