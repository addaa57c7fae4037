package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which proxy the environment names, and which servers it excludes. */
class NoProxyTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://a.example.com | example.com | true",
        "https://example.com | example.com | true",
        "https://notexample.com | example.com | false",
        "https://a.example.com | .example.com | true",
        "https://example.com | .example.com | false",
        "https://a.example.com | *.example.com | true",
        "https://A.example.com | b, EXAMPLE.com | true",
        "https://a.example.com | example.com:443 | true",
        "https://a.example.com:6443 | example.com:443 | false",
        "https://a.example.com | * | true",
        "https://10.1.2.3 | 10.0.0.0/8 | true",
        "https://11.1.2.3 | 10.0.0.0/8 | false",
        "https://10.1.2.3 | 10.1.2.3 | true",
        "https://10.1.2.3:6443 | 10.1.2.3:6443 | true",
        "https://10.1.2.3 | 10.1.2.4 | false",
        "https://10.1.2.3 | 2.3 | false",
        "https://[fd00::1] | fd00::/8 | true",
        "https://[fd00::1]:443 | [fd00::1]:443 | true",
        "https://[fd00::1] | 10.0.0.0/8 | false",
        "https://a.example.com | 10.0.0.0/8, nonsense/x | false",
        "https://localhost:6443 | '' | true",
        "https://127.0.0.1 | '' | true",
        "https://[::1] | '' | true"
      })
  void excludes(String server, String list, boolean excluded) {
    Map<String, String> environment = Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", list);
    assertThat(ProxyServer.ofEnvironment(URI.create(server), environment).isEmpty())
        .isEqualTo(excluded);
  }

  @Test
  void theSchemeOfTheServerChoosesTheVariable() {
    Map<String, String> environment =
        Map.of(
            "HTTPS_PROXY", "secure:1", "http_proxy", "http://me:secret@plain", "https_proxy", "x");
    assertThat(ProxyServer.ofEnvironment(URI.create("https://a"), environment).orElseThrow())
        .hasToString("http://secure:1");
    ProxyServer plain =
        ProxyServer.ofEnvironment(URI.create("http://a"), environment).orElseThrow();
    assertThat(plain).hasToString("http://plain");
    assertThat(plain.port()).isEqualTo(80);
    assertThat(ProxyServer.ofEnvironment(URI.create("https://a"), Map.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://me:secret@a", "http://me:secret@", "socks5://me:secret@a", "a b"})
  void anAddressThatIsNoProxyIsRefusedWithoutItsPassword(String address) {
    assertThatThrownBy(() -> ProxyServer.of(address))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageNotContaining("secret");
  }
}
