package io.lighthouse.core;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.view.FleetView;

/**
 * The frame of each call on a ledger: it begins at a savepoint, and is rolled back or committed.
 *
 * <p>The stack or the memory may be exhausted in the middle of a change, which no log can take
 * back. Then the next call counts the accounts again. Where they are wrong, or a roll back has
 * failed, every later call is refused.
 */
final class CallFrame {
  private final Ledger ledger;
  private final FleetView fleet;

  /** Why no call is answered any more; null while the state is sound. */
  private String damage;

  /** Whether that was for want of stack or memory, which may be the caller's doing. */
  private boolean exhausted;

  CallFrame(Ledger ledger, FleetView fleet) {
    this.ledger = ledger;
    this.fleet = fleet;
  }

  /** Begins a call, or refuses it; returns the savepoint for {@link #rollBack}. */
  int begin() {
    if (damage == null && fleet.wasExhausted()) {
      countAgain();
    }
    if (damage != null) {
      throw refusal(null);
    }
    return ledger.savepoint();
  }

  private void countAgain() {
    String found = null;
    try {
      found = fleet.countAgain().stream().findFirst().orElse(null);
    } catch (RuntimeException broken) {
      found = broken.toString();
    }
    if (found != null) {
      exhausted = true;
      damage = "the stack or the memory was exhausted in the middle of a change: " + found;
    }
  }

  private InternalErrorException refusal(Throwable cause) {
    String why = damage + "; make the distributor anew";
    return exhausted ? new ExhaustedException(why, cause) : new InternalErrorException(why, cause);
  }

  /** Stack or memory was exhausted in the middle of a change, which is no bug of Lighthouse. */
  private static final class ExhaustedException extends InternalErrorException {
    private static final long serialVersionUID = 1L;
    private final String why;

    ExhaustedException(String why, Throwable cause) {
      super(why, cause);
      this.why = why;
    }

    @Override
    public String getMessage() {
      return why;
    }
  }

  /** Rolls back a call that threw something. */
  void rollBack(int savepoint, Throwable thrown) {
    fleet.noteExhausted(thrown);
    try {
      ledger.rollBack(savepoint);
    } catch (RuntimeException | Error broken) {
      damage = "a roll back failed"; // First, for the words below take stack and memory.
      fleet.noteExhausted(broken);
      exhausted = fleet.wasExhausted();
      damage =
          exhausted
              ? "the stack or the memory was exhausted while a call was rolled back: " + broken
              : "a roll back failed: " + broken;
      InternalErrorException failed = refusal(broken);
      failed.addSuppressed(thrown);
      throw failed;
    }
  }

  /**
   * Makes the changes of a call final; after damage there is no log to go by. They stand also where
   * the stack or the memory ends here, and the next call counts again.
   */
  void commit() {
    if (damage != null) {
      return;
    }
    try {
      ledger.commit();
    } catch (VirtualMachineError thrown) {
      fleet.noteExhausted(thrown);
    }
  }
}
