// What happened to a node over time, one lane under the other: the state it was in, its incidents,
// each finding from when it came to when it went, and how many came when.

import { times } from "./axis.js";
import { h, s } from "./dom.js";
import { actor, mark, rank, SEVERITIES } from "./signs.js";
import { t, word } from "./text.js";
import { duration, exact, number, percent } from "./units.js";

const LANE = 22;
const BARS = 44;
const AXIS = 20;
const LANES = 12;

/** The findings by what they are about, those that hold first, then the worst, then the newest. */
function lanes(findings) {
  const found = new Map();
  for (const one of findings) {
    const key = one.check + " " + one.part;
    const lane = found.get(key) ?? { key, check: one.check, part: one.part, episodes: [] };
    lane.episodes.push(one);
    lane.severity = rank(one.severity) > rank(lane.severity) ? one.severity : lane.severity;
    lane.holds ||= !one.until;
    lane.last = one.until ?? one.from;
    found.set(key, lane);
  }
  return [...found.values()].sort(
    (a, b) =>
      Number(Boolean(b.holds)) - Number(Boolean(a.holds)) ||
      rank(b.severity) - rank(a.severity) ||
      b.last.localeCompare(a.last),
  );
}

/** Patterns: a state is told by how it looks, not by its colour. */
function patterns() {
  const pattern = (id, size, ...content) =>
    s(
      "pattern",
      { id, width: size, height: size, patternUnits: "userSpaceOnUse" },
      s("rect", { width: size, height: size, class: "pattern-ground" }),
      content,
    );
  return s(
    "defs",
    {},
    pattern("stay-draining", 6, s("path", { d: "M-1 1L1 -1M0 6L6 0M5 7L7 5", class: "pattern-line" })),
    pattern("stay-verifying", 6, s("circle", { cx: 3, cy: 3, r: 1.2, class: "pattern-dot" })),
    pattern("stay-out", 7, s("path", { d: "M0 0L7 7M7 0L0 7", class: "pattern-line" })),
  );
}

const PATTERNED = new Set(["draining", "verifying", "out"]);

export function historyChart(it, decisions) {
  const begin = Date.parse(it.from);
  const end = Math.max(Date.parse(it.until), begin + 1000);
  const within = (time) => Math.min(end, Math.max(begin, Date.parse(time)));
  const x = (time) => (100 * (within(time) - begin)) / (end - begin);
  const span = (from, until) => {
    const left = x(from);
    return { x: left + "%", width: "max(3px, " + (x(until ?? it.until) - left) + "%)" };
  };
  const all = lanes(it.findings);
  const shown = all.slice(0, LANES);
  const names = [];
  const drawn = [];
  let top = 0;
  const lane = (name, height, ...content) => {
    names.push(h("span", { class: "lane-name", style: "height:" + height + "px" }, name));
    drawn.push(s("g", { transform: "translate(0 " + top + ")" }, content));
    top += height;
  };
  const bar = (from, until, kind, title, pattern = "") => {
    const { x: left, width } = span(from, until);
    return s(
      "rect",
      { x: left, y: 4, height: LANE - 8, rx: 2, class: kind, style: "width:" + width + pattern },
      s("title", {}, title),
    );
  };

  lane(
    h("b", {}, t("history.service")),
    LANE,
    it.services.map((one) => [
      bar(
        one.from,
        one.until,
        "stay " + one.service,
        word("service", one.service) +
          " · " +
          duration((Date.parse(one.until) - Date.parse(one.from)) / 1000) +
          (one.why ? " · " + actor(one.actor) + ": " + one.why : ""),
        PATTERNED.has(one.service) ? ";fill:url(#stay-" + one.service + ")" : "",
      ),
      x(one.until) - x(one.from) > 14
        ? s(
            "text",
            { x: x(one.from) + "%", dx: 6, y: 15, class: "stay-name" + (PATTERNED.has(one.service) ? " haloed" : "") },
            word("service", one.service),
          )
        : null,
    ]),
  );
  if (it.silences.length) {
    lane(
      h("b", {}, t("history.silent")),
      LANE,
      it.silences.map((one) => bar(one.from, one.until, "stay silent", t("heatmap.silent") + " · " + exact(one.from))),
    );
  }
  if (it.incidents.length) {
    lane(
      [h("b", {}, t("nav.incidents")), " ", h("span", { class: "faint" }, number(it.incidents.length))],
      LANE,
      it.incidents.map((one) =>
        s(
          "a",
          { href: "/incidents/" + encodeURIComponent(one.incident), "aria-label": one.incident + " " + one.title },
          bar(
            one.opened,
            one.closed,
            "span outlined " + (one.severity ?? "info") + (one.closed ? " over" : ""),
            one.incident + " · " + one.title + " · " + exact(one.opened),
          ),
          x(one.closed ?? it.until) - x(one.opened) > 7
            ? s("text", { x: x(one.opened) + "%", dx: 6, y: 15, class: "stay-name" }, one.incident)
            : null,
        ),
      ),
    );
  }
  for (const one of shown) {
    lane(
      [
        mark(one.severity),
        " ",
        one.check,
        " ",
        h("span", { class: "faint" }, one.part),
        one.episodes.length > 1 ? h("span", { class: "faint" }, " × " + number(one.episodes.length)) : null,
      ],
      LANE,
      one.episodes.map((episode) =>
        bar(
          episode.from,
          episode.event ? episode.until : (episode.until ?? null),
          "span " + episode.severity + (episode.until ? " over" : ""),
          one.check +
            " · " +
            exact(episode.from) +
            (episode.until && !episode.event
              ? " · " + duration((Date.parse(episode.until) - Date.parse(episode.from)) / 1000)
              : ""),
        ),
      ),
    );
  }
  const most = Math.max(1, ...it.slots.rows.map((row) => SEVERITIES.reduce((sum, name) => sum + row[name], 0)));
  const step = it.slots.seconds;
  lane(
    [
      h("b", {}, t("history.came")),
      h("br", {}),
      h("span", { class: "faint" }, t("history.slot", { time: duration(step), most: number(most) })),
    ],
    BARS,
    s("line", { x1: 0, x2: "100%", y1: BARS - 4, y2: BARS - 4, class: "tick" }),
    it.slots.rows.map((row) => {
      const until = new Date(Date.parse(row.from) + step * 1000).toISOString();
      const wide = x(until) - x(row.from);
      let y = BARS - 4;
      return SEVERITIES.filter((name) => row[name])
        .reverse()
        .map((name) => {
          const height = ((BARS - 10) * row[name]) / most;
          y -= height;
          return s(
            "rect",
            { x: x(row.from) + 0.1 * wide + "%", y, height, class: "span " + name, style: "width:clamp(3px, " + 0.8 * wide + "%, 16px)" },
            s("title", {}, row[name] + " × " + word("severity", name) + " · " + exact(row.from)),
          );
        });
    }),
  );
  const made = decisions.filter((one) => Date.parse(one.at) >= begin);
  const marks = times(begin, end);
  return [
    h(
      "div",
      { class: "history", key: "chart" },
      h("div", { class: "history-names" }, names),
      s(
        "svg",
        { height: top + AXIS, role: "group", "aria-label": t("node.historyLabel") },
        patterns(),
        marks.map(({ at }) => {
          const left = x(new Date(at).toISOString()) + "%";
          return s("line", { x1: left, x2: left, y1: 0, y2: top, class: "tick" });
        }),
        drawn,
        made.map((one) =>
          s(
            "line",
            { x1: x(one.at) + "%", x2: x(one.at) + "%", y1: LANE, y2: top - BARS, class: "decided" },
            s("title", {}, word("rung", one.rung) + " · " + one.reason),
          ),
        ),
        marks.map(({ at, text }) => {
          const left = x(new Date(at).toISOString());
          return s(
            "text",
            {
              x: left + "%",
              y: top + 14,
              class: "axis",
              "text-anchor": left < 3 ? "start" : left > 97 ? "end" : "middle",
            },
            text,
          );
        }),
      ),
    ),
    all.length > LANES
      ? h("p", { class: "faint pad", key: "more" }, t("history.more", { count: number(all.length - LANES) }))
      : null,
  ];
}

/** How much of it there was. */
export function historyCounts({ counts }) {
  const figure = (label, value, detail) =>
    h("span", { class: "fact" }, h("b", {}, value), " ", label, detail ? h("span", { class: "faint" }, " " + detail) : null);
  return h(
    "p",
    { class: "facts" },
    figure(t("history.inService"), percent(counts.inService, counts.inService < 1 ? 1 : 0)),
    figure(
      t("history.timesOut", { count: counts.timesOut }),
      number(counts.timesOut) + " ×",
      counts.outSeconds >= 1 ? duration(counts.outSeconds) : "",
    ),
    figure(t("history.incidents", { count: counts.incidents }), number(counts.incidents)),
    figure(t("history.findings", { count: counts.findings }), number(counts.findings)),
    counts.silentSeconds > 0 ? figure(t("history.silentFor"), duration(counts.silentSeconds)) : null,
  );
}
