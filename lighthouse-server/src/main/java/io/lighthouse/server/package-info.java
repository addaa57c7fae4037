/**
 * The HTTP service: placements for any HTTP client.
 *
 * <p>Start at {@link io.lighthouse.server.PlacementService}; {@link
 * io.lighthouse.server.ServiceSettings} has all settings.
 *
 * <p>The flow of a placement request:
 *
 * <ol>
 *   <li>{@code http.Router} finds its route and checks its head.
 *   <li>{@code http.BodyReader} reads its body, up to a limit, without holding a thread.
 *   <li>{@code placement.DecisionPool} runs it on one of a few threads, for a limited time.
 *   <li>{@code placement.PlacementCall} reads the problem, places it with a distributor of its own,
 *       and writes the answer.
 *   <li>The same thread then reads the next request of that connection, if it has arrived ({@code
 *       http.AnsweringThread}).
 * </ol>
 *
 * <p>A placement request leaves no state behind.
 */
package io.lighthouse.server;
