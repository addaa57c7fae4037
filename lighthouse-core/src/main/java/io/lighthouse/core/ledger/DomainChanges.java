package io.lighthouse.core.ledger;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;

/**
 * Declares, undeclares, resizes, cordons and opens the domains of a ledger. The inverse of every
 * change is in the ledger's log before the change is made.
 */
public final class DomainChanges {
  private final Ledger ledger;

  DomainChanges(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Declares a domain with nothing taken from it yet: its resources are its capacity.
   *
   * @throws InvalidInputException if it is declared, or a quantity is out of range
   */
  public void declare(Domain domain) {
    declare(domain, null, domain.resources());
  }

  /** Declares a domain whose resources are what is left with everything that its nodes hold. */
  void load(Domain domain) {
    declare(domain, domain.resources(), null);
  }

  private void declare(Domain domain, Resources left, Resources capacity) {
    Level level = ledger.topology.intern(domain.level());
    int slot = level.intern(domain.name());
    if (level.isDeclared(slot)) {
      throw new InvalidInputException(
          Thing.domain(domain.level(), domain.name()),
          "name",
          "declared already",
          "each domain once");
    }
    level.settle(slot, left, capacity);
    level.accounts().units().set(slot, domain.units());
    level.setDeclared(slot, true, domain.cordoned());
    ledger.notifyListeners(LedgerListener::loosened);
  }

  /**
   * Removes the account of a declared domain.
   *
   * @throws InvalidInputException if it is not declared, or a placed workload shares its resources
   */
  public void undeclare(String level, String domain) {
    Level of = ledger.topology.declared(level, domain);
    int slot = of.domains().find(domain);
    of.settle(slot, null, Resources.none());
    of.setDeclared(slot, false, false);
    ledger.notifyListeners(LedgerListener::loosened);
  }

  /**
   * Gives a declared domain another capacity; what is placed stays. Returns whether this changed
   * it.
   *
   * @throws InvalidInputException if it is not declared, a resource in use is missing, or a
   *     quantity is out of range
   */
  public boolean resize(String level, String domain, Resources capacity) {
    Level of = ledger.topology.declared(level, domain);
    int slot = of.domains().find(domain);
    if (of.accounts().hasCapacity(slot, capacity)) {
      return false;
    }
    of.settle(slot, null, capacity);
    ledger.notifyListeners(LedgerListener::loosened);
    return true;
  }

  /**
   * Cordons a declared domain, or opens it. Returns whether this changed it.
   *
   * @throws InvalidInputException if it is not declared
   */
  public boolean cordon(String level, String domain, boolean closed) {
    Level of = ledger.topology.declared(level, domain);
    int slot = of.domains().find(domain);
    if (of.accounts().cordoned(slot) == closed) {
      return false;
    }
    ledger.log.append(() -> setCordon(of, slot, !closed));
    setCordon(of, slot, closed);
    return true;
  }

  private void setCordon(Level level, int slot, boolean closed) {
    level.accounts().changes().setCordon(slot, closed);
    ledger.notifyListeners(LedgerListener::loosened);
  }
}
