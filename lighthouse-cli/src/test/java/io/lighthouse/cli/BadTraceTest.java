package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A malformed trace is one line on standard error that names the place, the value found and what is
 * allowed, exit code 2, and nothing on standard output: whatever is wrong, and however late it
 * would happen.
 */
class BadTraceTest {
  private static final String JOIN =
      "{\"at\":0,\"event\":\"node-joins\",\"node\":\"n\",\"resources\":{\"cpus\":2}}";
  private static final String TYPE = "\"job_types\":[{\"name\":\"t\",\"resources\":{\"cpus\":1}}]";

  private static void assertRefused(String trace, String... complaints) {
    for (String[] options : new String[][] {{}, {"--output", "json"}}) {
      Object[] words = new Object[options.length + 2];
      words[0] = "simulate";
      words[1] = "-";
      System.arraycopy(options, 0, words, 2, options.length);
      Run run = Run.reading(trace, words);
      assertThat(run.code()).as(run.err()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .startsWith("lighthouse: standard input: ")
          .contains(complaints)
          .contains("; allowed: ");
      assertThat(run.err().lines()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | the text is empty",
        "{ | no JSON: it ends before all that was opened is closed",
        "{'job_types':[],} | line 1, column 17 is no JSON: the comma before '}' is one too many",
        "job_types: [] | is no JSON: it begins with 'job_types', as YAML may",
        "{'strategy':'pack','nodes':[]} | the text is a problem; allowed: a trace; lighthouse",
        "{'lighthouse_record':1} | the text is a record of a decision; allowed: a trace; lighthouse",
        "{'job_types':[],'events':[]}x | no JSON",
        "{'job_types':[],'events':[]} {} | the text is followed by",
        "[] | the text is a list; allowed: an object",
        "7 | the text is 7; allowed: an object",
        "null | the text is null; allowed: an object",
        "{'job_types':[]} | events is missing",
        "{'events':[]} | job_types is missing",
        "{'job_types':[],'events':{}} | events is an object; allowed: a list of objects",
        "{'job_types':{},'events':[]} | job_types is an object; allowed: a list of objects",
        "{'job_types':[],'events':[],'x':1} | a member is 'x'; allowed: events, job_types, pass_every, policy",
        "{'job_types':[],'events':[],'events':[]} | uplicate",
        "{'job_types':[7],'events':[]} | job_types[0] is 7; allowed: an object",
        "{'job_types':[{'resources':{}}],'events':[]} | job_types[0].name is missing",
        "{'job_types':[{'name':'','resources':{}}],'events':[]} | job_types[0].name is ''",
        "{'job_types':[{'name':'t','resources':{'cpus':-1}}],'events':[]} | job_types[0].resources.cpus is -1; allowed: a decimal from 0 to 1e30",
        "{'job_types':[{'name':'t','resources':{'cpus':'1'}}],'events':[]} | job_types[0].resources.cpus is '1'",
        "{'job_types':[{'name':'t','resources':{'cpus':9e999}}],'events':[]} | job_types[0].resources.cpus is 9e999",
        "{'job_types':[{'name':'t','resources':{'cpus':1e999999999}}],'events':[]} | job_types[0].resources.cpus is 1e999999999",
        "{'job_types':[{'name':'t','resources':{'':1}}],'events':[]} | job_types[0].resources is ''",
        "{'job_types':[{'name':'t','resources':{},'max_scheduled':-1}],'events':[]} | job_types[0].max_scheduled is -1; allowed: a whole number from 0",
        "{'job_types':[{'name':'t','resources':{},'max_scheduled':1.5}],'events':[]} | job_types[0].max_scheduled is 1.5",
        "{'job_types':[{'name':'t','resources':{},'paused':'no'}],'events':[]} | job_types[0].paused is 'no'; allowed: true or false",
        "{'job_types':[{'name':'t','resources':{},'y':0}],'events':[]} | a member of job_types[0] is 'y'",
        "{'job_types':[{'name':'t','resources':{}},{'name':'t','resources':{}}],'events':[]} | job type 't': name is given twice",
        "{'job_types':[],'events':[],'pass_every':0} | pass_every is 0; allowed: seconds from 0.001",
        "{'job_types':[],'events':[],'pass_every':1e-9} | pass_every is 1e-9; allowed: seconds from 0.001",
        "{'job_types':[],'events':[],'pass_every':1e999999999} | pass_every is 1e999999999",
        "{'job_types':[],'events':[],'pass_every':1e99999999999999} | pass_every is 1e99999999999999",
        "{'job_types':[],'events':[],'policy':7} | policy is 7; allowed: an object",
        "{'job_types':[],'events':[],'policy':{'order':'random'}} | policy.order is 'random'; allowed: one of fifo, lifo",
        "{'job_types':[],'events':[],'policy':{'queue_window':0}} | policy.queue_window is 0",
        "{'job_types':[],'events':[],'policy':{'queue_window':9e999}} | policy.queue_window is 9e999",
        "{'job_types':[],'events':[],'policy':{'settings':{'a':null}}} | policy.settings.a is null",
        "{'job_types':[],'events':[],'policy':{'rubric':{'cpus':9e999}}} | policy.rubric.cpus is 9e999",
        "{'job_types':[],'events':[],'policy':{'node_grace':-1}} | policy.node_grace is -1",
        "{'job_types':[],'events':[],'policy':{'strategy':'nosuch'}} | nosuch",
      })
  void ofTheWholeIsOneLine(String trace, String complaint) {
    assertRefused(trace.replace('\'', '"'), complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "7 | events[1] is 7; allowed: an object",
        "{'event':'cancel','execution':'e'} | events[1].at is missing",
        "{'at':null,'event':'cancel','execution':'e'} | events[1].at is null",
        "{'at':'1','event':'cancel','execution':'e'} | events[1].at is '1'",
        "{'at':-1,'event':'cancel','execution':'e'} | events[1].at is -1; allowed: seconds from 0 to",
        "{'at':0.0000000001,'event':'cancel','execution':'e'} | events[1].at is 0.0000000001",
        "{'at':1e999999999,'event':'cancel','execution':'e'} | events[1].at is 1e999999999",
        "{'at':9e999,'event':'cancel','execution':'e'} | events[1].at is 9e999",
        "{'at':0,'event':'explode'} | events[1].event is 'explode'; allowed: one of node-joins",
        "{'at':0,'event':7} | events[1].event is 7",
        "{'at':0} | events[1].event is missing",
        "{'at':0,'event':'cancel','execution':'e','y':1} | a member of events[1] is 'y'; allowed: at, event, execution",
        "{'at':0,'event':'cancel','execution':''} | events[1].execution is ''",
        "{'at':4.50,'event':'cancel','execution':'e'} | events[1] at 4.5 s: execution 'e': event is not submitted",
        "{'at':9,'event':'node-joins','node':'n','resources':{}} | events[1] at 9 s: node 'n': event is there already; allowed: one that left",
        "{'at':9,'event':'node-leaves','node':'m'} | events[1] at 9 s: node 'm': event is not there; allowed: one that joined",
        "{'at':9,'event':'node-pauses','node':'m'} | events[1] at 9 s: node 'm'",
        "{'at':9,'event':'node-resumes','node':'m'} | events[1] at 9 s: node 'm'",
        "{'at':9,'event':'offers-rescinded','node':'m'} | events[1] at 9 s: node 'm'",
        "{'at':1000000,'event':'node-joins','node':'m','resources':{'cpus':-1}} | events[1].resources.cpus is -1; allowed: a decimal from 0 to 1e30",
        "{'at':1000000,'event':'node-joins','node':'m','resources':7} | events[1].resources is 7; allowed: an object",
        "{'at':1000000,'event':'node-joins','node':'m'} | events[1].resources is missing",
        "{'at':1000000,'event':'submit','execution':'e','job_type':'t','runs':1,'resources':{'mem':-0.5}} | events[1].resources.mem is -0.5",
        "{'at':0,'event':'submit','execution':'e','job_type':'other','runs':1} | events[1] at 0 s: execution 'e': event is of the unknown job type 'other'; allowed: a job type of the trace",
        "{'at':0,'event':'submit','execution':'e','job_type':'t'} | events[1].runs is missing",
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':-1} | events[1].runs is -1",
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1e999999999} | events[1].runs is 1e999999999",
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1,'priority':1.5} | events[1].priority is 1.5; allowed: a whole number from -2147483648",
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1,'count':0} | events[1].count is 0; allowed: a whole number from 1 to 10000000",
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1,'count':99999999} | events[1].count is 99999999",
        "{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1,'count':100,'every':3e9} | events[1].every is 3e9; allowed: so much that the last",
        "{'at':1,'event':'submit','execution':'e','job_type':'t','runs':1},{'at':0,'event':'submit','execution':'e','job_type':'t','runs':1} | events[1] at 1 s: execution 'e': event is submitted twice",
        "{'at':1,'event':'submit','execution':'e','job_type':'t','runs':1,'count':3},{'at':9,'event':'cancel','execution':'e-3'} | events[2] at 9 s: execution 'e-3'",
        "{'at':1,'event':'system-task','name':'u','resources':{'cpus':-2},'runs':1} | events[1].resources.cpus is -2",
        "{'at':1,'event':'system-task','name':'u','resources':{},'runs':1},{'at':2,'event':'system-task','name':'u','resources':{},'runs':1} | events[2] at 2 s: system task 'u': event is due twice",
      })
  void ofAnEventNamesItsIndexAndField(String events, String complaint) {
    assertRefused(
        "{" + TYPE + ",\"events\":[" + JOIN + "," + events.replace('\'', '"') + "]}", complaint);
  }
}
