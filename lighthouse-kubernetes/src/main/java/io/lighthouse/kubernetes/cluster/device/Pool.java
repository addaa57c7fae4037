package io.lighthouse.kubernetes.cluster.device;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The devices of a pool, from all slices of its last generation.
 *
 * @param devices the devices that Lighthouse can give to claims, by name
 * @param counters by set and name, what its devices share
 */
record Pool(List<Device> devices, Map<String, Map<String, BigDecimal>> counters) {}
