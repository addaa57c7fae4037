/**
 * The grammar of a problem: one parser for each part, and what writes the parts. Start at {@link
 * io.lighthouse.json.problem.ProblemParser}.
 */
package io.lighthouse.json.problem;
