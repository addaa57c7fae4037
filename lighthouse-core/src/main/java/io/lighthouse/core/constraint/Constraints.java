package io.lighthouse.core.constraint;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.index.DomainNodes;
import io.lighthouse.core.index.OpenNodes;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.index.ResourceRows;
import io.lighthouse.core.index.SelectionRows;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;

/**
 * What the constraints of all queries share: the bitmaps and lists that are derived from the nodes
 * of one ledger. It also keeps the objects of closed queries for later ones.
 */
public final class Constraints {
  public final OpenNodes openNodes;
  public final ResourceRows resourceRows;
  final SelectionRows selectionRows;
  public final PossibleNodes possible;
  public final DomainNodes domainNodes;
  final PluginRows pluginRows;

  /** The rules of plug-ins. */
  final NamedRules named;

  private final Ledger ledger;

  /** The objects of closed queries; the one closed last is at the end. */
  private final List<Query> closed = new ArrayList<>();

  /** The rules of a ledger; whether bitmaps of names are used affects cost only. */
  public Constraints(Ledger ledger, NamedRules named, boolean usesNames) {
    this.ledger = ledger;
    this.named = named;
    openNodes = new OpenNodes(ledger);
    resourceRows = new ResourceRows(ledger, usesNames);
    selectionRows = new SelectionRows(ledger);
    possible = new PossibleNodes(ledger, selectionRows);
    domainNodes = new DomainNodes(ledger);
    pluginRows = new PluginRows(ledger, named);
  }

  /** Binds a demand. The caller must close the query. */
  public Query bind(Demand demand, Query.Mode mode, Within within) {
    Query query = closed.isEmpty() ? new Query(ledger, this) : closed.remove(closed.size() - 1);
    query.open(demand, mode, within);
    return query;
  }

  void free(Query query) {
    closed.add(query);
  }

  // ---- audit ----

  public void audit(Audit audit) {
    openNodes.audit(audit);
    resourceRows.audit(audit);
    domainNodes.audit(audit);
    selectionRows.audit(audit);
    possible.audit(audit);
    pluginRows.audit(audit);
  }
}
