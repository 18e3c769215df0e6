package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.text.NaturalOrder;
import dev.holdfast.launch.job.Member;
import java.util.Comparator;

/** How launchers are told apart, reached and put in order. */
final class Names {
  /** The order of ranks: by topology, then as people count. */
  static final Comparator<Member> RANKS =
      Comparator.comparingInt(Member::order)
          .thenComparing(Member::node, NaturalOrder.NAMES)
          .thenComparingLong(Member::incarnation);

  private Names() {}

  /** This launcher and no other, not even a later one on the same node. */
  static String id(Member member) {
    return member.node() + "#" + member.incarnation();
  }

  /** How a launcher calls itself at the arbiter: who asks next then knows where to find it. */
  static String holder(Member member) {
    return id(member) + " " + address(member);
  }

  /** Where the launcher is that calls itself so at the arbiter, empty: not known. */
  static String addressOf(String holder) {
    int space = holder.lastIndexOf(' ');
    return space < 0 ? "" : holder.substring(space + 1);
  }

  static String address(Member member) {
    return member.host() + ":" + member.port();
  }

  static boolean same(Member left, Member right) {
    return left.incarnation() == right.incarnation() && left.node().equals(right.node());
  }
}
