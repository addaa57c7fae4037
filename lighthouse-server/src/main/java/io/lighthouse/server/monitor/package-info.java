/** What the service tells about itself: metrics, and one line of log a request. */
package io.lighthouse.server.monitor;
