package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.lighthouse.server.History.Call;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of histories accepts a sound one, and finds each fault that one could have. */
class HistoryTest {
  private final List<Call> calls = new ArrayList<>();
  private final List<JsonNode> log = new ArrayList<>();

  HistoryTest() {
    log(
        "{'generation':1,'problem':{'nodes':[{'name':'n1','resources':{'cpu':4}},"
            + "{'name':'n2','resources':{'cpu':2}}]}}");
    log(assign(2, "a", 3, "n1"));
    log(assign(3, "b", 2, "n2"));
    log("{'generation':4,'changes':[{'change':'release','workload':'a'}]}");
    log(assign(5, "c", 1, "n1"));
    call(
        "assign",
        "a",
        3,
        10,
        20,
        200,
        "{'successful':true,'assignments':{'a':'n1'},'generation':2}");
    call(
        "assign",
        "b",
        2,
        15,
        35,
        200,
        "{'successful':true,'assignments':{'b':'n2'},'generation':3}");
    call("assign", "d", 2, 30, 40, 200, "{'successful':false,'assignments':{},'generation':3}");
    call("where", "a", 0, 36, 50, 200, "{'node':'n1','generation':3}");
    call("sum", "", 0, 36, 45, 200, "{'workloads':2,'left':{'cpu':1},'generation':3}");
    call("release", "a", 0, 45, 60, 200, "{'released':['a'],'generation':4}");
    call("where", "a", 0, 61, 70, 404, "{'generation':4}");
    call("release", "a", 0, 61, 70, 409, "{'generation':4}");
    call("assign", "c", 1, 62, Long.MAX_VALUE, 0, null); // Outcome unknown; it was done.
    call("assign", "e", 1, 62, Long.MAX_VALUE, 0, null); // Unknown; it was not done.
  }

  private static JsonNode json(String text) {
    try {
      return text == null ? null : OpenApi.JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static String assign(int generation, String name, int need, String node) {
    return "{'generation':"
        + generation
        + ",'changes':[{'change':'assign','assigned':{'name':'"
        + name
        + "','requirements':{'cpu':"
        + need
        + "}},'node':'"
        + node
        + "'}]}";
  }

  private void log(String text) {
    log.add(json(text));
  }

  private void call(
      String kind, String workload, int need, long start, long end, int status, String body) {
    calls.add(new Call(kind, workload, need, start, end, status, json(body)));
  }

  private void isFound(String what) {
    assertThat(History.faults(calls, log)).isNotEmpty().anyMatch(fault -> fault.contains(what));
  }

  @Test
  void anAttemptOnItsWayMayBeDoneAfterALaterOneWasToldNo() {
    log(assign(6, "d", 2, "n1"));
    assertThat(History.faults(calls, log))
        .containsExactly("generation 6 did 'assign d', which nobody asked for");
    call("assign", "d", 2, 30, Long.MAX_VALUE, 0, "{'successful':false,'generation':3}");
    assertThat(History.faults(calls, log)).isEmpty();
  }

  @Test
  void anAttemptThatWasDoneBeforeALaterOneWasToldNoIsFound() {
    log(assign(6, "d", 2, "n1"));
    call("assign", "d", 2, 61, 70, 200, "{'successful':false,'generation':6}");
    call("assign", "d", 2, 30, Long.MAX_VALUE, 0, "{'successful':false,'generation':6}");
    isFound("it was told no at 6");
  }

  @Test
  void aNoThatIsKeptForGoodIsAnEntryAndWhatComesLaterIsFound() {
    log("{'generation':6,'kind':'unchanged'}");
    isFound("generation 6 did 'nothing', which nobody asked for");
    call("assign", "d", 4, 61, 70, 200, "{'successful':false,'generation':6}");
    assertThat(History.faults(calls, log)).isEmpty();
    log(assign(7, "d", 2, "n1"));
    isFound("generation 7 did 'assign d', which nobody asked for");
  }

  @Test
  void aSoundOneIsAccepted() {
    assertThat(History.faults(calls, log)).isEmpty();
  }

  @Test
  void anAnswerThatIsNotInTheLogIsFound() {
    log.remove(4);
    log(assign(5, "e", 1, "n1"));
    call(
        "assign",
        "f",
        1,
        80,
        90,
        200,
        "{'successful':true,'assignments':{'f':'n1'},'generation':6}");
    isFound("the log has no generation");
  }

  @Test
  void anAnswerThatAnotherStandsForInTheLogIsFound() {
    call(
        "assign",
        "x",
        1,
        80,
        90,
        200,
        "{'successful':true,'assignments':{'x':'n1'},'generation':5}");
    isFound("answered 'x to n1'");
  }

  @Test
  void anEntryThatNobodyAskedForIsFound() {
    log(assign(6, "g", 1, "n1"));
    isFound("which nobody asked for");
  }

  @Test
  void whatIsDoneTwiceIsFound() {
    log(assign(6, "c", 1, "n1"));
    isFound("a second time");
  }

  @Test
  void moreThanThereIsIsFound() {
    log(assign(6, "e", 4, "n1"));
    isFound("more on n1 than it has");
  }

  @Test
  void aHoleInTheLogIsFound() {
    log.remove(2);
    isFound("entry 3 of the log");
  }

  @Test
  void anOldReadIsFound() {
    call("where", "a", 0, 61, 70, 200, "{'node':'n1','generation':3}");
    isFound("an older fleet");
  }

  @Test
  void aReadOfAnotherStateIsFound() {
    call("sum", "", 0, 36, 45, 200, "{'workloads':2,'left':{'cpu':2},'generation':3}");
    isFound("answered '2 and 2'");
  }

  @Test
  void aReadAheadOfWhatIsDurableIsFound() {
    call("where", "h", 0, 80, 90, 200, "{'node':'n1','generation':6}");
    isFound("the log has no generation");
  }

  @Test
  void aNoWhereThereWasRoomIsFound() {
    call("assign", "i", 1, 61, 70, 200, "{'successful':false,'assignments':{},'generation':4}");
    isFound("room for 1");
  }

  @Test
  void twoCallsOfOneGenerationAreFound() {
    call("release", "a", 0, 45, 60, 200, "{'released':['a'],'generation':4}");
    isFound("one generation for two calls");
  }

  @Test
  void anOrderAgainstTimeIsFound() {
    calls.set(0, new Call("assign", "a", 3, 100, 120, 200, calls.get(0).body()));
    isFound("an older fleet");
  }
}
