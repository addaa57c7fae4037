package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.port.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Job types and workspaces that can be changed at any time. Thread-safe: one lock. */
public final class InMemoryCatalogue implements Catalogue {
  private final Map<String, JobType> types = new TreeMap<>(Names.order());
  private final Set<String> workspaces = new TreeSet<>(Names.order());

  /** An empty catalogue. */
  public InMemoryCatalogue() {}

  /**
   * Adds a job type, in place of one of the same name.
   *
   * @param type the job type
   */
  public synchronized void put(JobType type) {
    types.put(type.name(), type);
  }

  /**
   * Forgets a job type.
   *
   * @param name its name
   * @return false if it was not known
   */
  public synchronized boolean remove(String name) {
    return types.remove(name) != null;
  }

  /**
   * Adds a workspace.
   *
   * @param name its name
   * @throws io.lighthouse.api.error.InvalidInputException if the name is empty or ill-formed
   */
  public synchronized void addWorkspace(String name) {
    workspaces.add(Names.require(name, "workspace", "name"));
  }

  /**
   * Forgets a workspace.
   *
   * @param name its name
   * @return false if it was not known
   */
  public synchronized boolean removeWorkspace(String name) {
    return workspaces.remove(name);
  }

  @Override
  public synchronized List<JobType> jobTypes() {
    return new ArrayList<>(types.values());
  }

  @Override
  public synchronized Set<String> workspaces() {
    Set<String> copy = new TreeSet<>(Names.order());
    copy.addAll(workspaces);
    return copy;
  }
}
