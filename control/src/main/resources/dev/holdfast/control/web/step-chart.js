// How long the steps of a job took: the line is what a step took on average, the band above it the
// slowest; where an attempt began is a stroke. Pointer and arrow keys walk over it.

import { amounts, times } from "./axis.js";
import { h, patch, s } from "./dom.js";
import { empty } from "./signs.js";
import { t } from "./text.js";
import { clock, duration, exact, number } from "./units.js";

const HEIGHT = 170;
const WIDE = 1000;
const AXIS = 20;

export class StepChart {
  constructor() {
    this.points = [];
    this.attempts = [];
    this.scope = "all";
    this.chosen = -1;
    this.said = h("p", { class: "chart-said", "aria-live": "polite" });
    this.plot = h("div", {});
    this.element = h("div", { class: "chart" }, this.plot, this.said);
  }

  /** @param steps rows of time, step, seconds, slowest */
  show(steps, attempts) {
    this.points = steps.map(([at, step, seconds, slowest]) => ({ at: Date.parse(at), step, seconds, slowest }));
    this.attempts = attempts;
    this.draw();
  }

  /** @param redraw called once another was chosen */
  choice(redraw) {
    const look = (scope) => {
      this.scope = scope;
      this.chosen = -1;
      redraw();
    };
    return h(
      "div",
      { class: "choice", role: "group", "aria-label": t("steps.which") },
      ["all", "newest"].map((one) =>
        h("button", { "aria-pressed": String(one === this.scope), key: one, onclick: () => look(one) }, t("steps." + one)),
      ),
    );
  }

  shown() {
    return this.scope === "all" ? this.points : this.points.slice(-60);
  }

  draw() {
    const points = this.shown();
    if (points.length < 2) {
      patch(this.plot, empty(t("job.noSteps"), t("job.noStepsText")));
      this.said.textContent = "";
      return;
    }
    this.chosen = Math.min(this.chosen, points.length - 1);
    const begin = points[0].at;
    const end = Math.max(points.at(-1).at, begin + 1000);
    const marks = amounts(Math.max(...points.map((it) => it.slowest)));
    const most = marks.at(-1);
    const x = (time) => (time - begin) / (end - begin);
    const y = (seconds) => HEIGHT - (seconds / most) * HEIGHT;
    const middle = median(points);
    this.x = x;
    const began = this.attempts.map((it) => ({ ...it, at: Date.parse(it.from) })).filter((it) => it.at > begin && it.at <= end);
    const labelled = new Set();
    let last = -1;
    for (const one of began) {
      if (last < 0 || x(one.at) - x(last) > 0.09) {
        labelled.add(one.attempt);
        last = one.at;
      }
    }
    patch(
      this.plot,
      h(
        "div",
        { class: "chart-grid" },
        h(
          "div",
          { class: "chart-amounts", style: "height:" + HEIGHT + "px" },
          marks.map((it) => h("span", { style: "top:" + y(it) + "px" }, it ? duration(it) : "0")),
        ),
        s(
          "svg",
          {
            height: HEIGHT + AXIS,
            tabindex: 0,
            role: "application",
            "aria-roledescription": t("steps.role"),
            "aria-label": t("job.stepsLabel", { time: duration(middle) }),
            onpointermove: (event) => this.point(event),
            onpointerleave: () => this.choose(-1),
            onkeydown: (event) => this.walk(event),
          },
          marks.map((it) => s("line", { x1: 0, x2: "100%", y1: y(it), y2: y(it), class: "tick" })),
          s(
            "svg",
            { viewBox: "0 0 " + WIDE + " " + HEIGHT, preserveAspectRatio: "none", width: "100%", height: HEIGHT, x: 0, y: 0 },
            this.lives(points).map((life) => [
              s("path", { d: band(life, x, y), class: "band" }),
              s("polyline", {
                points: life.map((it) => x(it.at) * WIDE + "," + y(it.seconds)).join(" "),
                class: "curve",
              }),
            ]),
          ),
          s("line", { x1: 0, x2: "100%", y1: y(middle), y2: y(middle), class: "middle" }),
          began.map((it) => {
            const left = 100 * x(it.at) + "%";
            return s(
              "g",
              { class: "began" },
              s("title", {}, t("steps.began", { attempt: it.attempt }) + " · " + exact(it.from)),
              s("line", { x1: left, x2: left, y1: 0, y2: HEIGHT }),
              labelled.has(it.attempt) && x(it.at) < 0.94
                ? s("text", { x: left, dx: 4, y: 11, class: "axis" }, t("steps.began", { attempt: it.attempt }))
                : null,
            );
          }),
          times(begin, end).map(({ at, text }) =>
            s(
              "text",
              {
                x: 100 * x(at) + "%",
                y: HEIGHT + 15,
                class: "axis",
                "text-anchor": x(at) < 0.03 ? "start" : x(at) > 0.97 ? "end" : "middle",
              },
              text,
            ),
          ),
          this.chosen < 0
            ? null
            : [
                s("line", {
                  x1: 100 * x(points[this.chosen].at) + "%",
                  x2: 100 * x(points[this.chosen].at) + "%",
                  y1: 0,
                  y2: HEIGHT,
                  class: "cursor",
                }),
                s("circle", {
                  cx: 100 * x(points[this.chosen].at) + "%",
                  cy: y(points[this.chosen].seconds),
                  r: 4,
                  class: "cursor",
                }),
              ],
        ),
      ),
    );
    this.said.textContent = this.chosen < 0 ? this.summary(points, middle) : this.tell(points[this.chosen]);
  }

  summary(points, middle) {
    const slowest = points.reduce((a, b) => (b.slowest > a.slowest ? b : a));
    return t("job.stepsText", {
      middle: duration(middle),
      last: duration(points.at(-1).seconds),
      slowest: duration(slowest.slowest),
      step: number(slowest.step),
      time: duration((points.at(-1).at - points[0].at) / 1000),
    });
  }

  tell(point) {
    const attempt = this.attempts.findLast((it) => Date.parse(it.from) <= point.at);
    return [
      t("steps.step", { step: number(point.step) }),
      duration(point.seconds),
      point.slowest > point.seconds * 1.005 ? t("steps.slowest", { time: duration(point.slowest) }) : null,
      attempt ? t("steps.began", { attempt: attempt.attempt }) : null,
      clock(point.at).slice(0, 8),
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /** The points of each attempt: between two attempts nothing was trained. */
  lives(points) {
    const starts = this.attempts.map((it) => Date.parse(it.from));
    const found = [];
    let before = -1;
    for (const point of points) {
      const life = starts.filter((it) => it <= point.at).length;
      if (life !== before) {
        found.push([]);
        before = life;
      }
      found.at(-1).push(point);
    }
    return found;
  }

  point(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    const points = this.shown();
    let best = 0;
    points.forEach((it, index) => {
      if (Math.abs(this.x(it.at) - at) < Math.abs(this.x(points[best].at) - at)) {
        best = index;
      }
    });
    this.choose(best);
  }

  walk(event) {
    const last = this.shown().length - 1;
    const at = this.chosen < 0 ? last + 1 : this.chosen;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.choose(Math.max(0, Math.min(last, to)));
    }
  }

  choose(index) {
    if (index !== this.chosen) {
      this.chosen = index;
      this.draw();
    }
  }
}

function median(points) {
  const sorted = points.map((it) => it.seconds).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function band(life, x, y) {
  const up = life.map((it) => x(it.at) * WIDE + " " + y(it.slowest));
  const down = [...life].reverse().map((it) => x(it.at) * WIDE + " " + y(it.seconds));
  return "M" + [...up, ...down].join("L") + "Z";
}
