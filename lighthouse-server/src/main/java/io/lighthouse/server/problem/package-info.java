/** The distributor of a problem, for the service and for the command line. It uses no HTTP. */
package io.lighthouse.server.problem;
