package dev.holdfast.launch.rendezvous;

/** A member in a process of its own, which can be stopped and killed; tells what happens to it. */
final class MemberProcess {
  private MemberProcess() {}

  public static void main(String[] arguments) throws Exception {
    FakeNode node = new FakeNode(arguments[0]);
    Setup setup = Small.setup(arguments[0], Integer.parseInt(arguments[1]), false, 2, 3, 0);
    try (Rendezvous _ = node.join(setup, new FakeJudge(5, false))) {
      String line;
      do {
        line = node.happened.take();
        System.out.println(line);
      } while (!line.startsWith("finish"));
    }
  }
}
