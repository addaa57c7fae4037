/** Monitoring of the service: metrics, and one log line for each request. */
package io.lighthouse.server.monitor;
