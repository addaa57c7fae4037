package io.lighthouse.core.oracle;

import io.lighthouse.api.Distributor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

/** Calls the audit of the engine, which no package exports. */
final class EngineAudit {
  private EngineAudit() {}

  /** What a distributor derives from its accounts and keeps otherwise; empty where all agrees. */
  @SuppressWarnings("unchecked")
  static List<String> of(Distributor distributor) {
    try {
      Class<?> base = distributor.getClass();
      while (!base.getSimpleName().equals("BaseDistributor")) {
        base = base.getSuperclass();
      }
      Field field = base.getDeclaredField("operations");
      field.setAccessible(true);
      Object operations = field.get(distributor);
      Method audit = operations.getClass().getDeclaredMethod("audit");
      audit.setAccessible(true);
      return (List<String>) audit.invoke(operations);
    } catch (ReflectiveOperationException moved) {
      throw new AssertionError("the audit is not where it was", moved);
    }
  }
}
