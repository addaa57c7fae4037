/**
 * HTTP itself, whatever is asked for: routes, heads and bodies, problem details, tokens, deadlines.
 * A request is handled without blocking a thread until its body is here whole.
 */
package io.lighthouse.server.http;
