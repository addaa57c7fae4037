/**
 * The HTTP service: placements for anybody with {@code curl}.
 *
 * <p>Start at {@link io.lighthouse.server.PlacementService}; {@link
 * io.lighthouse.server.ServiceSettings} is all that can be set. The way of a request: {@code
 * http.Router} finds its route and checks its head; {@code http.BodyReader} takes its bytes, within
 * bounds, without holding a thread; {@code placement.DecisionPool} gives it one of few threads for
 * a bounded time; {@code placement.PlacementCall} reads the problem, asks a distributor that lives
 * for this request alone, and writes the answer. The same thread then takes in the next request of
 * that connection, if it is there ({@code http.AnsweringThread}). No request leaves anything
 * behind.
 */
package io.lighthouse.server;
