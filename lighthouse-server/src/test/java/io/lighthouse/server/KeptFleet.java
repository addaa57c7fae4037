package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.server.TestService.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a service that keeps a fleet of two nodes, {@code prod}, in a file. */
abstract class KeptFleet {
  static final String PROD = "/fleets/prod";
  static final String NODES =
      "{'strategy':'BinPack','rubric':{'cpu':1,'mem':0.5},"
          + "'nodes':[{'id':'n1','resources':{'cpu':4}},{'id':'n2','resources':{'cpu':6}}]}";

  static final String ZONE = PROD + "/domains/zone/a";

  @TempDir Path folder;
  TestService service;

  @BeforeEach
  void start() {
    service = TestService.start(settings());
    assertThat(put(PROD, NODES).status()).isEqualTo(201);
  }

  ServiceSettings settings() {
    return new ServiceSettings().store(folder.resolve("fleets.db"));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  static String json(String text) {
    return text.replace('\'', '"');
  }

  Answer put(String path, String body, String... headers) {
    return service.put(path, json(body), headers);
  }

  Answer post(String call, String body, String... headers) {
    return service.post(PROD + "/" + call, json(body), headers);
  }

  Answer assign(String name, int cpu, String... headers) {
    return post(
        "assign-workloads",
        "{'workloads':[{'id':'" + name + "','requirements':{'cpu':" + cpu + "}}]}",
        headers);
  }

  void restart() {
    service.close();
    service = TestService.start(settings());
  }
}
