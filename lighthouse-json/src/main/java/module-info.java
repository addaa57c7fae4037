/**
 * The problem format, read and written. Start at {@link io.lighthouse.json.ProblemReader}; to
 * write, at {@link io.lighthouse.json.ProblemWriter} and {@link io.lighthouse.json.AnswerWriter}.
 */
module io.lighthouse.json {
  requires transitive io.lighthouse.api;
  requires tools.jackson.core;

  exports io.lighthouse.json;
}
