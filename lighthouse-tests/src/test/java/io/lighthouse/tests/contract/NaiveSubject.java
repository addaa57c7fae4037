package io.lighthouse.tests.contract;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.NaiveDistributor;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Finding;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The naive engine before the laws: sound, with a planted fault, or with something around it. */
final class NaiveSubject {
  /** Seeds in which a fault has to be found. */
  static final int SEEDS = 1_000;

  private NaiveSubject() {}

  static Subject wrong(Fault fault) {
    return made(fleet -> naive(fault, fleet));
  }

  static Subject made(Function<RandomFleet, Distributor> make) {
    return made(make, Conduct.PLAIN);
  }

  static Subject made(Function<RandomFleet, Distributor> make, Conduct conduct) {
    return new Subject(
        () -> Distributors.installed().find("prioritized"),
        conduct,
        (strategy, fleet) -> make.apply(fleet));
  }

  static Distributor naive(Fault fault, RandomFleet fleet) {
    return new NaiveDistributor(Strategy.PRIORITIZED, Rubric.of(), fault, fleet);
  }

  /** The sound naive engine, some of whose calls a function takes over. */
  static Subject with(BiFunction<Distributor, Call, Object> instead) {
    return made(fleet -> around(naive(Fault.NONE, fleet), instead));
  }

  /** The sound naive engine, which gets other workloads than the caller gave. */
  static Subject hearing(UnaryOperator<Workload> heard) {
    return with(
        (sound, call) ->
            call instanceof Call.Assign assign
                ? sound.assign(
                    assign.batch().stream().map(heard).toList(),
                    assign.options().toArray(AssignOption[]::new))
                : answer(call, sound));
  }

  /** What a sound engine answers. */
  static Object answer(Call call, Distributor sound) {
    return call instanceof Call.Apply apply ? sound.apply(apply.changes()) : call.on(sound);
  }

  /** The sound naive engine, one of whose methods does nothing. */
  static Distributor without(String idle, RandomFleet fleet) {
    Distributor sound = naive(Fault.NONE, fleet);
    return proxy(
        (proxy, method, arguments) ->
            method.getName().equals(idle) ? null : invoked(method, sound, arguments));
  }

  private static Distributor proxy(InvocationHandler handler) {
    return (Distributor)
        Proxy.newProxyInstance(
            NaiveSubject.class.getClassLoader(), new Class<?>[] {Distributor.class}, handler);
  }

  private static Object invoked(Method method, Distributor sound, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(sound, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private static Distributor around(
      Distributor sound, BiFunction<Distributor, Call, Object> instead) {
    return proxy(
        (proxy, method, arguments) -> {
          Object first = arguments == null ? null : arguments[0];
          if (method.getName().equals("copy")) {
            return around(sound.copy(), instead);
          }
          if (method.getName().equals("apply") && arguments.length == 1) {
            List<?> changes = first instanceof Change[] some ? List.of(some) : (List<?>) first;
            return instead.apply(
                sound, new Call.Apply(changes.stream().map(Change.class::cast).toList()));
          }
          if (method.getName().equals("explain") && first instanceof Workload workload) {
            return instead.apply(sound, new Call.Explain(workload));
          }
          if (method.getName().equals("assign")) {
            List<Workload> batch = new ArrayList<>();
            for (Object one : first instanceof Object[] all ? List.of(all) : (List<?>) first) {
              batch.add((Workload) one);
            }
            List<AssignOption> options =
                arguments.length > 1 ? List.of((AssignOption[]) arguments[1]) : List.of();
            return instead.apply(sound, new Call.Assign(batch, options));
          }
          return invoked(method, sound, arguments);
        });
  }

  /** Whether the referee comes upon such a finding in the scenarios of the seeds. */
  static boolean isFound(Subject wrong, Predicate<Finding> wanted) {
    return IntStream.rangeClosed(1, SEEDS)
        .anyMatch(seed -> judged(wrong, seed).stream().anyMatch(wanted));
  }

  /** What the referee finds; where a sound call fails, that is the finding. */
  static List<Finding> judged(Subject subject, int seed) {
    try {
      return run(subject, seed).judged();
    } catch (BrokenLaw failing) {
      return failing.findings();
    }
  }

  static ScenarioRun run(Subject subject, int seed) {
    return new ScenarioRun(subject, Scenarios.ofSeed(seed), new CallRecord());
  }
}
