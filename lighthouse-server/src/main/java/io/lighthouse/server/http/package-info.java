/**
 * HTTP, independent of the calls: routes, heads and bodies, problem details, tokens, deadlines. No
 * thread is blocked until the whole body of a request has arrived.
 */
package io.lighthouse.server.http;
