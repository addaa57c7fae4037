package io.lighthouse.core.view;

import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.util.Arrays;

/** The accounts of a ledger as they are, by the ids of its resources. */
final class AmountsView implements Amounts {
  private final FleetView fleet;
  private final Ledger ledger;

  AmountsView(FleetView fleet) {
    this.fleet = fleet;
    ledger = fleet.ledger;
  }

  @Override
  public int ids() {
    return ledger.resources().resourceIds();
  }

  @Override
  public String resource(int id) {
    return ledger.resources().resource(id);
  }

  @Override
  public int digits(int id) {
    return ledger.resources().digits(id);
  }

  @Override
  public void left(int node, long[] into) {
    read(fleet.slot(node), 0, into);
  }

  @Override
  public void capacity(int node, long[] into) {
    int slot = fleet.slot(node);
    read(slot, ledger.accounts().layout(slot).size(), into);
  }

  private void read(int slot, int from, long[] into) {
    Layout layout = ledger.accounts().layout(slot);
    long[] accounts = ledger.accounts().of(slot);
    Arrays.fill(into, ABSENT);
    for (int i = 0; i < layout.size(); i++) {
      into[layout.id(i)] = accounts[from + i];
    }
  }
}
