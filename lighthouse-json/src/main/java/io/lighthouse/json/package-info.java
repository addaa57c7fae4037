/**
 * The problem format, read and written.
 *
 * <p>{@link io.lighthouse.json.ProblemReader} turns a text into a {@link
 * io.lighthouse.json.Problem}, or says all that is wrong with it and where; {@link
 * io.lighthouse.json.ProblemWriter} turns a problem into a text. {@link
 * io.lighthouse.json.AnswerWriter} writes what a distributor answers.
 *
 * <p>Inside, a text runs through {@code ProblemText} (bytes to characters, bare infinities),
 * Jackson's parser, {@code Tokens} (places and faults), {@code Values} (names, quantities, maps)
 * and {@code ProblemParser} (the grammar).
 */
package io.lighthouse.json;
