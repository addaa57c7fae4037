package io.lighthouse.json.problem;

import io.lighthouse.json.Problem;
import io.lighthouse.json.Rounding;
import java.util.List;
import java.util.Set;

/**
 * A problem as it was read.
 *
 * @param problem the problem
 * @param flags the flags that are true
 * @param positions where its parts stand
 * @param roundings the quantities that were given as inventories and rounded
 */
public record ParsedProblem(
    Problem problem, Set<String> flags, Positions positions, List<Rounding> roundings) {}
