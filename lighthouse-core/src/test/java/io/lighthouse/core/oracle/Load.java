package io.lighthouse.core.oracle;

import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rules by load, in numbers of any size. */
final class Load {
  private static final BigInteger TOO_FAR = BigInteger.ONE.shiftLeft(28);

  private Load() {}

  /** The sum of shares of the fleet. */
  static BigInteger size(Workload workload, List<Spot> nodes) {
    BigInteger size = BigInteger.valueOf(128);
    for (Map.Entry<String, Nanos> need : Nanos.up(workload.requirements()).entrySet()) {
      BigInteger total = BigInteger.ZERO;
      for (Spot node : nodes) {
        Nanos capacity = node.account.capacity.getOrDefault(need.getKey(), Nanos.ZERO);
        total = counts(capacity) ? total.add(capacity.units()) : total;
      }
      if (total.signum() > 0) {
        size = size.add(parts(need.getValue().units(), total, 40));
      }
    }
    return size.shiftRight(8);
  }

  /** The largest share in use. */
  static BigInteger fullest(Spot node, Workload workload) {
    return shares(node, workload, 30).stream().max(BigInteger::compareTo).orElse(BigInteger.ZERO);
  }

  /** The variance of the shares in use. */
  static BigInteger variance(Spot node, Workload workload) {
    List<BigInteger> shares = shares(node, workload, 24);
    if (shares.isEmpty()) {
      return BigInteger.ZERO;
    }
    BigInteger sum = shares.stream().reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger count = BigInteger.valueOf(shares.size());
    BigInteger mean = floor(sum, count);
    BigInteger squares = BigInteger.ZERO;
    for (BigInteger share : shares) {
      BigInteger deviation = share.subtract(mean).abs().min(TOO_FAR);
      squares = squares.add(deviation.pow(2));
    }
    return squares.divide(count).add(BigInteger.ONE.shiftLeft(25)).shiftRight(26);
  }

  private static List<BigInteger> shares(Spot node, Workload workload, int bits) {
    Map<String, Nanos> needs = Nanos.up(workload.requirements());
    List<BigInteger> shares = new ArrayList<>();
    node.account.capacity.forEach(
        (resource, capacity) -> {
          if (counts(capacity)) {
            BigInteger used =
                capacity
                    .units()
                    .subtract(node.account.left.get(resource).units())
                    .add(needs.getOrDefault(resource, Nanos.ZERO).units());
            shares.add(parts(used, capacity.units(), bits));
          }
        });
    return shares;
  }

  private static boolean counts(Nanos capacity) {
    return capacity.infinity() == 0 && capacity.sign() > 0;
  }

  private static BigInteger parts(BigInteger amount, BigInteger of, int bits) {
    return floor(amount.shiftLeft(bits), of);
  }

  private static BigInteger floor(BigInteger amount, BigInteger of) {
    return new BigDecimal(amount).divide(new BigDecimal(of), 0, RoundingMode.FLOOR).toBigInteger();
  }
}
