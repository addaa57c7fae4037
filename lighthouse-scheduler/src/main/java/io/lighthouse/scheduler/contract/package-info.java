/**
 * The contract of the ports, as a check that an integrator extends: see {@link
 * io.lighthouse.scheduler.contract.PortContract}. It needs no test framework.
 */
package io.lighthouse.scheduler.contract;
