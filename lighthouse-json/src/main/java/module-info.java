/**
 * The problem format, read and written. Start at {@link io.lighthouse.json.read.ProblemReader}; to
 * write, at {@link io.lighthouse.json.write.ProblemWriter} and {@link
 * io.lighthouse.json.write.AnswerWriter}.
 */
module io.lighthouse.json {
  requires transitive io.lighthouse.api;
  requires transitive io.lighthouse.core;
  requires tools.jackson.core;

  exports io.lighthouse.json;
  exports io.lighthouse.json.log;
  exports io.lighthouse.json.read;
  exports io.lighthouse.json.write;
}
