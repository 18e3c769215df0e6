package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sets do what the JDK's bit sets do, and read and write the forms of kernel, hwloc and Slurm. */
class IdSetTest {
  @Test
  void everyOperationAgreesWithABitSet() {
    Random random = new Random(1);
    for (int round = 0; round < 20_000; round++) {
      BitSet a = bits(random);
      BitSet b = bits(random);
      IdSet one = IdSet.copyOf(a);
      IdSet other = IdSet.copyOf(b);
      int id = random.nextInt(300);

      assertThat(one.toArray()).isEqualTo(a.stream().toArray());
      assertThat(one.stream().toArray()).isEqualTo(a.stream().toArray());
      assertThat(one.equals(other)).isEqualTo(a.equals(b));
      assertThat(IdSet.of(one.toArray())).isEqualTo(one).hasSameHashCodeAs(one);
      assertThat(one.isEmpty()).isEqualTo(a.isEmpty());
      assertThat(one.count()).isEqualTo(a.cardinality());
      assertThat(one.first()).isEqualTo(a.nextSetBit(0));
      assertThat(one.last()).isEqualTo(a.length() - 1);
      assertThat(one.next(id)).isEqualTo(a.nextSetBit(id));
      assertThat(one.contains(id)).isEqualTo(a.get(id));
      assertThat(one.contains(-1)).isFalse();
      assertThat(one.intersects(other)).isEqualTo(a.intersects(b));
      assertThat(one.firsts(id).toArray()).isEqualTo(a.stream().limit(id).toArray());

      BitSet without = (BitSet) a.clone();
      without.andNot(b);
      assertThat(one.without(other)).isEqualTo(IdSet.copyOf(without));
      assertThat(other.containsAll(one)).isEqualTo(without.isEmpty());
      BitSet and = (BitSet) a.clone();
      and.and(b);
      assertThat(one.and(other)).isEqualTo(IdSet.copyOf(and));
      BitSet or = (BitSet) a.clone();
      or.or(b);
      assertThat(one.or(other)).isEqualTo(IdSet.copyOf(or));
      assertThat(IdSet.union(List.of(IdSet.EMPTY, one, other, one))).isEqualTo(IdSet.copyOf(or));
    }
  }

  /** Sparse, dense or a run, anywhere below 300. */
  private static BitSet bits(Random random) {
    BitSet bits = new BitSet();
    if (random.nextBoolean()) {
      int from = random.nextInt(300);
      bits.set(from, from + random.nextInt(300 - from + 1));
    }
    for (int count = random.nextInt(4); count > 0; count--) {
      bits.flip(random.nextInt(300));
    }
    return bits;
  }

  @Test
  void textFormsAreReadBack() {
    Random random = new Random(2);
    for (int round = 0; round < 2_000; round++) {
      IdSet set = IdSet.copyOf(bits(random));
      assertThat(IdSet.parse(set.toString())).isEqualTo(set);
      assertThat(IdSet.parseMask(set.toMask())).isEqualTo(set);
      assertThat(new BigInteger(set.toMask().substring(2), 16))
          .isEqualTo(
              set.stream()
                  .mapToObj(BigInteger.ONE::shiftLeft)
                  .reduce(BigInteger.ZERO, BigInteger::or));
      assertThat(TreeText.members(set.toMask())).isEqualTo(set.toString());
    }
  }

  @Test
  void masksOfKernelHwlocAndSlurmAreRead() {
    assertThat(IdSet.parseMask("0x00000303,,0x3")).hasToString("0-1,64-65,72-73");
    assertThat(IdSet.parseMask("00000000,0000ffff")).hasToString("0-15");
    assertThat(IdSet.parseMask("0xff00")).hasToString("8-15");
    assertThat(IdSet.parseMask("0x1,0x0")).hasToString("32");
    assertThat(IdSet.parseMask("0x0").isEmpty()).isTrue();
    assertThat(IdSet.parse(" 0-2, 5 ")).hasToString("0-2,5");
    assertThat(IdSet.parse("\n").isEmpty()).isTrue();
    assertThat(IdSet.range(63, 64).toMask()).isEqualTo("0x18000000000000000");
  }
}
