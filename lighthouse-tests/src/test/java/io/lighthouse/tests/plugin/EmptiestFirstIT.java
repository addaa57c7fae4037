package io.lighthouse.tests.plugin;

import io.lighthouse.tests.contract.StrategyContract;
import java.util.List;

/** The strategy of {@code src/it/emptiest-first}. */
class EmptiestFirstIT extends PlugInChecks {
  EmptiestFirstIT() {
    super(
        "emptiest-first",
        "com.example.emptiest.EmptiestFirst",
        StrategyContract.class,
        new Caller(
            "place-once",
            "com.example.caller.PlaceOnce",
            List.of("emptiest-first"),
            "{a: large, b: large, c: medium}"));
  }
}
