/**
 * The problem format: what is read and written, and the words that people type. Nothing here knows
 * JSON.
 *
 * <p>Start at these:
 *
 * <ul>
 *   <li>{@link io.lighthouse.json.read.ProblemReader} turns a text into a {@link
 *       io.lighthouse.json.Problem}, or lists its faults with their places.
 *   <li>{@link io.lighthouse.json.ProblemDistributor} makes the distributor of a problem.
 *   <li>{@link io.lighthouse.json.write.ProblemWriter} turns a problem into a text.
 *   <li>{@link io.lighthouse.json.write.AnswerWriter} writes what a distributor answers.
 * </ul>
 *
 * <p>The packages, the lowest first. A package depends only on those before it.
 *
 * <ul>
 *   <li>this one: problems and their distributors, faults and their places, limits, requests in
 *       words.
 *   <li>{@code token}: bytes to characters (bare infinities), Jackson's parser, places and faults;
 *       names, quantities, maps.
 *   <li>{@code problem}: the grammar of nodes, domains, workloads and rules, both ways.
 *   <li>{@code question}: the grammar of questions beside a problem.
 *   <li>{@code read}: the doors to read.
 *   <li>{@code write}: the doors to write.
 *   <li>{@code log}: effects and recorded decisions, both ways.
 * </ul>
 */
package io.lighthouse.json;
