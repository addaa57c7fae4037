package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the command says of domains, rules and gangs. */
class DomainsAndRulesTest {
  private static final Path ZONES = Examples.file("zones.json");

  @Test
  void areShownWithWhatIsShared() {
    Run run = Run.of("assign", ZONES);

    assertThat(run.out().replaceAll("\\s+", " "))
        .contains(": 0 placed before, 7 placed now, 2 refused by bin-pack;");
    assertThat(run.out())
        .contains(
            """
              domain   shared
              fleet    2 of 4 licence
              rack r1  1 of 3 power
              rack r2  2 of 2 power
              zone c   cordoned
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void areToldForPrograms() {
    assertThat(Run.of("assign", "--output", "json", ZONES).out())
        .endsWith(
            "'left_of_domains':{'fleet':{'fleet':{'licence':2}},'rack':{'r1':{'power':2},"
                    .replace('\'', '"')
                + "'r2':{'power':0}},'zone':{'c':{}}}}\n".replace('\'', '"'));
    assertThat(Run.of("assign", "--output", "json", Examples.file("semaphore.json")).out())
        .doesNotContain("left_of_domains");
  }

  @Test
  void areExplainedInWords() {
    Run run = Run.of("explain", "web-5", ZONES);

    assertThat(run.out())
        .contains(
            """
              shares          1 power of its rack
              member of       tenant-7, web
              rules[0]        at most 2 of web in a zone
              preferences[0]  at least 1 of db in a rack

              node  says
              a1    lacks 1 cpu (0 left, 1 required)
              a2    lacks 1 cpu (0 left, 1 required)
              b1    rack r2: lacks 1 power (0 left, 1 required)
                    zone b: 2 of web there already, at most 2
              c1    stands in no rack
                    zone c: cordoned

            """)
        .contains("too many of web at zone on 1 node");
  }

  @Test
  void haveWordsForEveryCondition() {
    Run run =
        Run.reading(
            """
            {"nodes": [{"name": "n", "resources": {"cpu": {"left": 5, "min": 1, "max": 4, "step": 0.5}},
                        "domains": {"zone": "a"},
                        "workloads": [{"name": "v", "requirements": {}, "groups": ["g"],
                                       "rules": [{"most": 0, "group": "w"}]}]}],
             "rules": [{"most": 1, "group": "g", "level": "fleet"}],
             "workloads": [{"name": "w", "requirements": {"cpu": 0.2}, "groups": ["g", "w"],
               "where": [{"level": "zone", "in": ["b", "c"]}, {"level": "zone", "not_in": ["a"]},
                         {"resource": "gpu", "least": 1, "most": 2}, {"level": "rack"},
                         {"level": "zone", "absent": true}, {"resource": "cpu", "absent": true},
                         {"any": [[{"resource": "ssd"}, {"level": "pool"}], [{"resource": "gpu"}]]}],
               "rules": [{"least": 2, "group": "cache"}, {"skew": 1, "group": "g", "level": "zone"},
                         {"skew": 1, "group": "g", "level": "rack", "min_domains": 3}],
               "preferences": [{"where": []}, {"apart": true, "group": "db", "level": "zone"}],
               "gang": {"name": "shop", "within": "zone"}}]}
            """,
            "explain",
            "w",
            "-");

    assertThat(run.out())
        .contains(
            "where[0]        zone is b or c",
            "where[1]        zone is not a",
            "where[2]        has gpu of 1 or more and of 2 or less",
            "where[3]        stands in a rack",
            "where[4]        stands in no zone",
            "where[5]        has no cpu",
            "where[6]        either has ssd and stands in a pool, or has gpu",
            "rules[0]        at least 2 of cache on a node",
            "rules[1]        g spread evenly to 1 over each zone",
            "rules[2]        g spread evenly to 1 over each rack, 3 of them at least",
            "preferences[1]  no other of db in a zone",
            "preferences[0]  anything",
            "gang            shop, all in one zone",
            "gives cpu from 1 up to 4 in steps of 0.5 (0.2 required)",
            "where[6] does not hold",
            "0 of cache here, at least 2",
            "zone a: 1 of g there already, the emptiest has 0, at most 1 more",
            "stands in no rack",
            "fleet: 1 of g there already, at most 1",
            "0 of w here already, at most 0 beside v");
  }

  @Test
  void ofAGangAreToldForAllOfIt() {
    Run run =
        Run.reading(
            """
            {"nodes": [{"name": "n", "resources": {"cpu": 2}, "domains": {"rack": "r1"}}],
             "workloads": [{"name": "g", "requirements": {"cpu": 1}, "replicas": 3,
                            "gang": {"name": "shop", "within": "rack"}}]}
            """,
            "assign",
            "-");

    assertThat(run.out())
        .contains(
            """
              g-3      its gang shop was not placed: 2 of 3 found a node in r1, the best of
                       1 tried
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void areDoubtedWhereTheySayNothing() {
    Run run =
        Run.reading(
            """
            {"domains": [{"level": "rack", "name": "r9", "resources": {"power": 1}}],
             "rules": [{"most": 1, "group": "nobody"}],
             "nodes": [{"name": "n", "resources": {"cpu": 1}, "domains": {"rack": "r1"}}],
             "workloads": [{"name": "w", "requirements": {}, "shared": {"rack": {"cool": 1}},
                            "groups": ["web"],
                            "where": [{"any": [[{"level": "zone", "in": ["a"]}]]},
                                      {"level": "node", "not_in": ["m"]}, {"resource": "gpu"}],
                            "rules": [{"skew": 1, "group": "web", "level": "room"}],
                            "preferences": [{"least": 1, "group": "cache", "level": "rack"}]}]}
            """,
            "check",
            "-");

    assertThat(run.out())
        .isEqualTo(
            """
            standard input: sound

              nodes      1
              domains    1 declared
              workloads  1
              strategy   prioritized
              doubt      workloads share what no domain of the level has: rack cool
              doubt      no node names the level: room, zone
              doubt      no node stands in: node m, rack r9
              doubt      rules count a group that nobody is in: cache, nobody
              doubt      conditions ask for what no node has: gpu
            """);
    assertThat(run.code()).isZero();
  }
}
