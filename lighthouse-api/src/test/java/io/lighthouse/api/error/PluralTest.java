package io.lighthouse.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluralTest {
  @ParameterizedTest
  @CsvSource({
    "1,node,1 node",
    "0,node,0 nodes",
    "2,more node,2 more nodes",
    "1,entry,1 entry",
    "12,entry,12 entries",
    "2,key,2 keys",
    "1,pass,1 pass",
    "3000000000,pass,3000000000 passes",
    "2,box,2 boxes",
    "2,batch,2 batches",
    "2,push,2 pushes"
  })
  void theNounHasTheNumberOfTheCount(long count, String thing, String text) {
    assertThat(Plural.of(count, thing)).isEqualTo(text);
  }
}
