package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Canvas;
import dev.holdfast.core.draw.Canvas.Area;
import dev.holdfast.core.draw.Canvas.Pen;
import dev.holdfast.core.draw.Paint;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The NVLinks below the GPUs: one band where each GPU reaches each other one alike, as a switch
 * makes it; else a line for each pair. Where a line would cross a box it is left out: the table of
 * links has every pair.
 */
final class Fabric {
  private static final double BAND = 30;
  private static final double LANE = 11;
  private static final int MOST_PAIRS = 40;

  private final Topology machine;
  private final List<Device> gpus;
  private final List<Pair> pairs = new ArrayList<>();

  /** Two GPUs with NVLinks between them. */
  private record Pair(Device one, Device other, String word) {}

  Fabric(Topology machine) {
    this.machine = machine;
    List<Device> all = Matrices.columns(machine);
    boolean few = all.size() <= 64 && !machine.devices(Device.Kind.GPU).isEmpty();
    this.gpus = few ? all : List.of();
    for (int i = 0; i < gpus.size(); i++) {
      for (int j = i + 1; j < gpus.size(); j++) {
        if (machine.link(gpus.get(i), gpus.get(j)) == Link.NV) {
          String word = Labels.link(machine, gpus.get(i), gpus.get(j));
          pairs.add(new Pair(gpus.get(i), gpus.get(j), word));
        }
      }
    }
  }

  private boolean uniform() {
    int all = gpus.size() * (gpus.size() - 1) / 2;
    return gpus.size() > 2
        && pairs.size() == all
        && pairs.stream().map(Pair::word).distinct().count() == 1;
  }

  /** Draws below {@code top} and says how much height it took. */
  double paint(Canvas canvas, double x, double top, double width) {
    if (pairs.isEmpty()) {
      return 0;
    }
    return uniform() ? band(canvas, x, top + 18, width) + 18 : brackets(canvas, top + 4);
  }

  private double band(Canvas canvas, double x, double y, double width) {
    String colour = Palette.of(Link.NV);
    for (Device gpu : gpus) {
      Area area = canvas.remembered().get(gpu.name());
      if (area != null) {
        boolean free = !canvas.blocked(area.middle(), area.bottom() + 1, y);
        double end = free ? y : area.bottom() + 6;
        canvas.line(area.middle(), area.bottom(), area.middle(), end, colour, 4);
      }
    }
    String word = pairs.getFirst().word();
    String text = "NVLink between all %d GPUs, %s for each pair".formatted(gpus.size(), word);
    canvas.open(text);
    canvas.rect(x, y, width, BAND, 6, new Paint("#dff3e3", colour), 1.6, "");
    canvas.text(text, x + width / 2, y + 20, width - 20, Pen.bold(13, "#1d6b2e").middle());
    canvas.close();
    return BAND;
  }

  private double brackets(Canvas canvas, double top) {
    List<Pair> drawn = new ArrayList<>();
    for (Pair pair : pairs) {
      Area one = canvas.remembered().get(pair.one.name());
      Area other = canvas.remembered().get(pair.other.name());
      boolean free =
          one != null
              && other != null
              && !canvas.blocked(one.middle(), one.bottom() + 1, top)
              && !canvas.blocked(other.middle(), other.bottom() + 1, top);
      if (free) {
        drawn.add(pair);
      }
    }
    if (drawn.isEmpty() || drawn.size() > MOST_PAIRS) {
      return 0;
    }
    drawn.sort((left, right) -> Double.compare(span(canvas, left), span(canvas, right)));
    List<List<double[]>> lanes = new ArrayList<>();
    Map<String, Integer> ports = new HashMap<>();
    for (Pair pair : drawn) {
      bracket(canvas, pair, top, lanes, ports, drawn);
    }
    return 8 + lanes.size() * LANE + 6;
  }

  private static double span(Canvas canvas, Pair pair) {
    Map<String, Area> areas = canvas.remembered();
    Area one = areas.get(pair.one.name());
    Area other = areas.get(pair.other.name());
    return one == null || other == null ? 0 : Math.abs(one.middle() - other.middle());
  }

  private static void bracket(
      Canvas canvas,
      Pair pair,
      double top,
      List<List<double[]>> lanes,
      Map<String, Integer> ports,
      List<Pair> drawn) {
    double[] one = port(canvas, pair.one, ports, drawn);
    double[] other = port(canvas, pair.other, ports, drawn);
    double from = Math.min(one[0], other[0]);
    double to = Math.max(one[0], other[0]);
    int lane = 0;
    while (lane < lanes.size()
        && lanes.get(lane).stream().anyMatch(used -> used[0] < to + 4 && used[1] > from - 4)) {
      lane++;
    }
    if (lane == lanes.size()) {
      lanes.add(new ArrayList<>());
    }
    lanes.get(lane).add(new double[] {from, to});
    double y = top + 8 + lane * LANE;
    canvas.open(Labels.unique(pair.one) + " to " + Labels.unique(pair.other) + ": " + pair.word);
    canvas.path(
        "M%s %sV%sH%sV%s"
            .formatted(
                Canvas.show(one[0]),
                Canvas.show(one[1]),
                Canvas.show(y),
                Canvas.show(other[0]),
                Canvas.show(other[1])),
        Palette.of(Link.NV),
        pair.word.equals("NV") || pair.word.equals("NV1") ? 1.8 : 3);
    canvas.close();
  }

  /** The next free point at the lower edge of a GPU. */
  private static double[] port(
      Canvas canvas, Device gpu, Map<String, Integer> ports, List<Pair> drawn) {
    Area area = canvas.remembered().getOrDefault(gpu.name(), new Area(0, 0, 0, 0));
    long all = drawn.stream().filter(pair -> pair.one == gpu || pair.other == gpu).count();
    int next = ports.merge(gpu.name(), 1, Integer::sum);
    return new double[] {area.x() + area.width() * next / (all + 1.0), area.bottom()};
  }
}
