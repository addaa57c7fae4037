package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which numbered devices (GPUs) of which node belong to which execution.
 *
 * <p>A node's devices are numbered from 0. A device is free or belongs to one execution; an
 * execution gets the lowest free numbers of its node. Reserving is wholly or not at all. A fraction
 * of a device takes a whole one.
 *
 * <p>How many devices a node has is its total, where that is known. Where it is not, it is the
 * largest whole quantity that the node ever offered at once. What is in use is added only when the
 * node offers devices for the first time: after a restart. Later, a device may be offered again
 * before its task is known to have ended, and would be counted twice. So a node that never offers
 * all of its devices at once seems to have fewer, unless its total is known. The number never
 * shrinks, except that free devices beyond a known total are forgotten. A node that is gone is
 * forgotten ({@link #retain}) once none of its devices belongs to an execution.
 *
 * <p>What belongs to an execution that is over is given back at the start of the next pass.
 *
 * <p>After a restart a new ledger is empty. {@link #restore} restores the devices of one running
 * execution, and is to be called for all of them before the first pass. If an execution was not
 * restored, only the number of its devices is known. The first pass then presumes that it has the
 * lowest free ones. It goes through such executions in the order of importance, as if the node were
 * empty. Thread-safe: one lock.
 */
public final class DeviceLedger {
  /** Most devices that a node can have; what it offers beyond that is not numbered. */
  public static final int MOST_DEVICES = 1 << 16;

  private final String resource;

  /** Per node, the execution that each device belongs to; null if it is free. */
  private final Map<String, String[]> owners = new HashMap<>();

  /** The nodes that have offered devices. */
  private final Set<String> haveOffered = new HashSet<>();

  /** A ledger of the resource {@code gpus}. */
  public DeviceLedger() {
    this("gpus");
  }

  /**
   * A ledger of the devices of some resource.
   *
   * @param resource the name of the resource that counts them
   * @throws InvalidInputException if the name is empty or ill-formed
   */
  public DeviceLedger(String resource) {
    this.resource = Names.require(resource, "device ledger", "resource");
  }

  /**
   * Learns how many devices a node has.
   *
   * @param node the node
   * @param capacity what it has
   */
  public synchronized void learn(String node, NodeCapacity capacity) {
    boolean sure = !capacity.total().isEmpty();
    boolean first = count(capacity.offered(), RoundingMode.FLOOR) > 0 && haveOffered.add(node);
    Resources most = first ? capacity.watermark() : capacity.offered();
    int count = count(sure ? capacity.total() : most, RoundingMode.FLOOR);
    String[] known = owners.getOrDefault(node, new String[0]);
    int used = known.length;
    while (sure && used > count && known[used - 1] == null) {
      used--;
    }
    count = Math.max(count, used);
    if (count != known.length) {
      owners.put(node, Arrays.copyOf(known, count));
    }
  }

  /**
   * Reserves what an execution asks for.
   *
   * @param node the node
   * @param execution the id of the execution
   * @param request what it asks for; nothing is reserved where it asks for no device
   * @return false if too few are free: then nothing changes
   */
  public synchronized boolean reserve(String node, String execution, Resources request) {
    int wanted = count(request, RoundingMode.CEILING);
    if (wanted == 0) {
      return true;
    }
    String[] devices = owners.getOrDefault(node, new String[0]);
    if (Arrays.stream(devices).filter(owner -> owner == null).count() < wanted) {
      return false;
    }
    for (int i = 0; wanted > 0; i++) {
      if (devices[i] == null) {
        devices[i] = execution;
        wanted--;
      }
    }
    return true;
  }

  /**
   * Gives the devices of an execution back.
   *
   * @param node the node
   * @param execution the id of the execution
   */
  public synchronized void release(String node, String execution) {
    String[] devices = owners.getOrDefault(node, new String[0]);
    for (int i = 0; i < devices.length; i++) {
      if (execution.equals(devices[i])) {
        devices[i] = null;
      }
    }
  }

  /**
   * The executions that have devices.
   *
   * @return a new set of their ids
   */
  public synchronized Set<String> holders() {
    Set<String> holders = new HashSet<>();
    for (String[] devices : owners.values()) {
      for (String owner : devices) {
        if (owner != null) {
          holders.add(owner);
        }
      }
    }
    return holders;
  }

  /**
   * Gives the devices of some executions back, on every node: of those that are over.
   *
   * @param executions the ids of the executions
   */
  public synchronized void releaseAll(Set<String> executions) {
    for (String[] devices : owners.values()) {
      for (int i = 0; i < devices.length; i++) {
        if (devices[i] != null && executions.contains(devices[i])) {
          devices[i] = null;
        }
      }
    }
  }

  /**
   * Keeps up with what runs: takes back what belongs to executions that are over, and presumes
   * devices for those that ask for some and have none. Called at the start of each pass.
   *
   * @param running all running executions
   * @param keeps which of them keep what they have: not those whose node is another one by now
   */
  public synchronized void keepUpWith(
      Collection<RunningExecution> running, Predicate<RunningExecution> keeps) {
    Set<String> gone = holders();
    List<RunningExecution> without = new ArrayList<>();
    for (RunningExecution execution : running) {
      boolean has = gone.contains(execution.id());
      boolean wants = execution.origin().request().has(resource);
      if ((has || wants) && keeps.test(execution) && !gone.remove(execution.id()) && wants) {
        without.add(execution);
      }
    }
    if (!gone.isEmpty()) {
      releaseAll(gone);
    }
    without.forEach(this::presume);
  }

  /**
   * Forgets the nodes that are gone and on which no device belongs to an execution. Called at the
   * start of each pass.
   *
   * @param nodes the names of the nodes that are there
   */
  public synchronized void retain(Set<String> nodes) {
    owners
        .entrySet()
        .removeIf(
            node ->
                !nodes.contains(node.getKey())
                    && Arrays.stream(node.getValue()).allMatch(Objects::isNull));
    haveOffered.removeIf(node -> !nodes.contains(node) && !owners.containsKey(node));
  }

  /** The node has at least what runs there, even if it was not seen to offer it yet. */
  private void presume(RunningExecution execution) {
    int wanted = count(execution.origin().request(), RoundingMode.CEILING);
    int missing = wanted - free(execution.node()).size();
    String[] known = owners.getOrDefault(execution.node(), new String[0]);
    if (missing > 0 && missing <= MOST_DEVICES - known.length) {
      owners.put(execution.node(), Arrays.copyOf(known, known.length + missing));
    }
    reserve(execution.node(), execution.id(), execution.origin().request());
  }

  /**
   * Gives an execution that runs already the devices that it has: after a restart, before the first
   * pass. The integrator records them with the execution: {@link #of} says which they are.
   *
   * @param node the node
   * @param execution the id of the execution
   * @param numbers the numbers of its devices; the node then has at least as many
   * @throws InvalidInputException if a number is negative, {@link #MOST_DEVICES} or more, or
   *     belongs to another execution
   */
  public synchronized void restore(String node, String execution, List<Integer> numbers) {
    String[] devices = owners.getOrDefault(node, new String[0]);
    int count = devices.length;
    for (int number : numbers) {
      if (number < 0
          || number >= MOST_DEVICES
          || (number < devices.length
              && devices[number] != null
              && !devices[number].equals(execution))) {
        throw new InvalidInputException(
            "execution '" + execution + "'",
            "devices on node '" + node + "'",
            Integer.toString(number),
            number < MOST_DEVICES
                ? "the number of a device that is free"
                : "a number below " + MOST_DEVICES);
      }
      count = Math.max(count, number + 1);
    }
    devices = Arrays.copyOf(devices, count);
    for (int number : numbers) {
      devices[number] = execution;
    }
    owners.put(node, devices);
  }

  /**
   * The devices of an execution.
   *
   * @param node the node
   * @param execution the id of the execution
   * @return their numbers, ascending
   */
  public synchronized List<Integer> of(String node, String execution) {
    return numbers(node, execution);
  }

  /**
   * The free devices of a node.
   *
   * @param node the node
   * @return their numbers, ascending
   */
  public synchronized List<Integer> free(String node) {
    return numbers(node, null);
  }

  private List<Integer> numbers(String node, String owner) {
    String[] devices = owners.getOrDefault(node, new String[0]);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < devices.length; i++) {
      if (owner == null ? devices[i] == null : owner.equals(devices[i])) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  private int count(Resources vector, RoundingMode mode) {
    Quantity quantity = vector.get(resource).orElse(Quantity.ZERO);
    if (quantity.signum() <= 0) {
      return 0;
    }
    return quantity.compareTo(Quantity.of(MOST_DEVICES)) > 0
        ? mode == RoundingMode.FLOOR ? MOST_DEVICES : Integer.MAX_VALUE
        : quantity.toBigDecimal().setScale(0, mode).intValueExact();
  }
}
