package io.lighthouse.json;

import io.lighthouse.json.read.ProblemDocument;

/**
 * A place in the text of a problem. Immutable and thread-safe.
 *
 * <p>Both forms of the path use the words that the text uses, such as {@code loads} for {@code
 * workloads}. A member that is missing has the path it would have.
 *
 * @param line the line, from 1
 * @param column the column, from 1, in UTF-16 units. For a place that was found from the problem
 *     alone ({@link ProblemDocument#locate}), line and column are those of the node or workload it
 *     stands in, or of the text. For a missing member they are those of the strategy
 * @param path the path for people, such as {@code nodes[3].resources.cpu}, very long names
 *     shortened; empty for the text as a whole
 * @param pointer the path as a JSON pointer (RFC 6901), such as {@code /nodes/3/resources/cpu};
 *     empty for the text as a whole
 */
public record Place(int line, int column, String path, String pointer) {}
