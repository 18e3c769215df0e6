// The first look: is everything well, and if not, what, where and whose turn is it.

import { get } from "../api.js";
import { decide } from "../dialog.js";
import { h, widget } from "../dom.js";
import { Heatmap, legend } from "../heatmap.js";
import { empty } from "../signs.js";
import { t, word } from "../text.js";
import { duration, number, percent } from "../units.js";
import { incidentRow, urgency } from "./incidents.js";
import { goodputBar, larger, lossBars } from "./jobs.js";

const MANY = 1500;
const SHOWN = 40;
const OVER = 6;
/** Rates over fewer node-days say little. */
const EARLY = 1000;

export function overview({ fleet, go, refresh, redraw, numbers: known }) {
  const heatmap = new Heatmap({ open: (node) => go("/nodes/" + encodeURIComponent(node)), height: 560 });
  let goodput = null;
  let open = [];
  let lately = [];
  let trust = null;
  let lemons = null;
  let mode = null;
  let group = "rack";

  function figures() {
    const numbers = known();
    const services = numbers.services ?? {};
    const serving = (services.in ?? 0) + (services.suspect ?? 0);
    const asking = open.filter((it) => it.decision?.stand === "asking").length;
    const figure = (label, value, detail, kind) =>
      h(
        "div",
        { class: "figure " + (kind ?? "") },
        h("span", { class: "label" }, label),
        h("span", { class: "value" }, value),
        h("span", { class: "detail" }, detail ?? ""),
      );
    return h(
      "section",
      { class: "figures", "aria-label": t("overview.figures") },
      figure(
        t("figure.serving"),
        number(serving),
        t("figure.ofNodes", { count: number(numbers.nodes) }),
        serving < numbers.nodes ? "some" : "",
      ),
      figure(
        t("figure.out"),
        number(numbers.nodes - serving),
        Object.entries(services)
          .filter(([name]) => name !== "in" && name !== "suspect")
          .map(([name, count]) => count + " " + word("service", name))
          .join(" · "),
      ),
      figure(t("figure.silent"), number(numbers.silent), t("figure.silentDetail"), numbers.silent ? "bad" : ""),
      figure(t("figure.incidents"), number(numbers.openIncidents), worst(), numbers.openIncidents ? "some" : ""),
      figure(t("figure.yours"), number(asking), t("figure.yoursDetail"), asking ? "yours" : ""),
      figure(
        t("figure.jobs"),
        number(numbers.jobs),
        t("figure.ranks", { count: number(goodput.jobs.reduce((sum, it) => sum + it.processes, 0)) }),
      ),
      figure(
        t("figure.goodput"),
        percent(goodput.goodput, 2),
        goodput.jobs.length
          ? t("figure.lostRanks", { time: duration(goodput.losses.reduce((sum, it) => sum + it.processSeconds, 0)) })
          : "",
      ),
    );
  }

  function worst() {
    const counts = {};
    open.forEach((it) => (counts[it.severity] = (counts[it.severity] ?? 0) + 1));
    return ["fatal", "degraded", "warning"]
      .filter((it) => counts[it])
      .map((it) => counts[it] + " " + word("severity", it))
      .join(" · ");
  }

  function groups() {
    const kinds = new Set(["rack"]);
    for (const name of fleet.names.slice(0, 200)) {
      Object.keys(fleet.rows.get(name).place).forEach((it) => kinds.add(it));
    }
    return [...kinds, "job"];
  }

  function choice(options, chosen, label, choose, name) {
    return h(
      "div",
      { class: "choice", role: "group", "aria-label": label },
      options.map((it) =>
        h(
          "button",
          { "aria-pressed": it === chosen ? "true" : "false", key: it, onclick: () => choose(it) },
          word(name, it),
        ),
      ),
    );
  }

  function map() {
    const shown = mode ?? (fleet.rows.size > MANY ? "node" : "device");
    heatmap.show({ rows: fleet.rows, names: fleet.names, mode: shown, group });
    return h(
      "section",
      { class: "panel map", "aria-label": t("overview.health") },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, t("overview.health")),
        choice(["device", "node"], shown, t("heatmap.each"), (it) => set(it, group), "heatmap.mode"),
        choice(groups(), group, t("heatmap.by"), (it) => set(mode, it), "place"),
      ),
      legend(fleet.rows),
      fleet.rows.size ? widget(heatmap.element) : empty(t("overview.noNodes"), t("overview.noNodesText")),
    );
  }

  function set(newMode, newGroup) {
    mode = newMode;
    group = newGroup;
    redraw();
  }

  function list() {
    const more = known().openIncidents - SHOWN;
    const sorted = [...open].sort(urgency);
    return h(
      "section",
      { class: "panel", "aria-label": t("overview.open") },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, t("overview.open")),
        h("a", { href: "/incidents" }, t("overview.all")),
        stopButton(),
      ),
      sorted.length === 0
        ? empty(t("overview.calm"), t("overview.calmText"))
        : h(
            "div",
            { class: "rows" },
            sorted
              .slice(0, SHOWN)
              .map((it) =>
                incidentRow(it, { enter: () => heatmap.highlight(it.nodes), leave: () => heatmap.highlight(null) }),
              ),
          ),
      more > 0 ? h("p", { class: "faint pad" }, t("overview.more", { count: number(more) })) : null,
    );
  }

  function over() {
    return lately.length
      ? h(
          "section",
          { class: "panel", "aria-label": t("overview.lately") },
          h(
            "div",
            { class: "panel-head" },
            h("h2", {}, t("overview.lately")),
            h("a", { href: "/incidents?all" }, t("overview.all")),
          ),
          h(
            "div",
            { class: "rows" },
            lately.map((it) => incidentRow(it)),
          ),
        )
      : null;
  }

  /** Who fails more often than chance explains; one line when nobody does. */
  function offenders() {
    const rows = [...lemons.nodes.rows, ...lemons.devices.rows].filter((it) => it.lemon);
    return h(
      "section",
      { class: "panel lemons", "aria-label": t("lemons.title") },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, t("lemons.title")),
        h("span", { class: "faint" }, t("lemons.window", { time: duration(lemons.windowSeconds) })),
      ),
      rows.length
        ? [
            h(
              "table",
              { class: "figures-table" },
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  ["lemons.who", "lemons.faults", "lemons.expected", "lemons.chance"].map((key) =>
                    h("th", { scope: "col" }, t(key)),
                  ),
                ),
              ),
              h("tbody", {}, rows.slice(0, OVER).map(offender)),
            ),
            rows.length > OVER ? h("p", { class: "faint pad" }, t("more", { count: number(rows.length - OVER) })) : null,
            h("p", { class: "faint pad" }, t("lemons.text")),
          ]
        : h(
            "p",
            { class: "faint pad" },
            t("lemons.none", { faults: number(lemons.nodes.faults), count: number(lemons.nodes.count) }),
          ),
    );
  }

  function offender(it) {
    const [, node, ...part] = it.subject.split("/");
    return h(
      "tr",
      { key: it.subject },
      h(
        "th",
        { scope: "row" },
        h("a", { href: "/nodes/" + encodeURIComponent(node), class: "name" }, node),
        part.length ? h("span", { class: "faint" }, " / " + part.join("/")) : null,
      ),
      h("td", {}, number(it.faults)),
      h("td", {}, few(it.expected, 2)),
      h("td", {}, chance(it.probability)),
    );
  }

  function chance(probability) {
    return probability < 1e-6 ? "< 1 : 1,000,000" : "1 : " + number(1 / probability);
  }

  /** What is more than nothing never looks like nothing. */
  function few(value, digits) {
    const least = 10 ** -digits;
    return value > 0 && value < least ? "< " + number(least, digits) : number(value, digits);
  }

  /** Three digits say enough. */
  function often(rate) {
    return rate === null || rate === undefined ? "–" : number(rate, rate < 10 ? 2 : rate < 100 ? 1 : 0);
  }

  /** What was done without a person, and what of it was wrong: always to be seen. */
  function ledger() {
    const line = (label, rate) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, label),
        h("td", {}, number(rate.events)),
        h("td", {}, often(rate.perThousandNodeDays)),
        h("td", {}, "≤ " + often(rate.upperPerThousandNodeDays)),
      );
    return h(
      "section",
      { class: "panel trust", "aria-label": t("trust.title") },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, t("trust.title")),
        h("span", { class: "faint" }, t("trust.over", { count: few(trust.nodeDays, trust.nodeDays < 10 ? 1 : 0) })),
      ),
      h(
        "table",
        { class: "figures-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, ""),
            h("th", { scope: "col" }, t("trust.events")),
            h("th", { scope: "col" }, t("trust.rate")),
            h("th", { scope: "col" }, t("trust.bound")),
          ),
        ),
        h(
          "tbody",
          {},
          line(t("trust.wrongDrains"), trust.wrongDrains),
          line(t("trust.wrongKills"), trust.wrongKills),
          line(t("trust.interruptions"), trust.interruptions),
        ),
      ),
      h(
        "p",
        { class: "faint pad" },
        t("trust.text", { count: trust.drains, drains: number(trust.drains) }),
        trust.nodeDays < EARLY ? " " + t("trust.early") : "",
      ),
    );
  }

  function stopButton() {
    return known().paused ? null : h("button", { class: "quiet", onclick: pause }, t("action.pause"));
  }

  async function pause() {
    if (await decide({ title: t("action.pause"), text: t("ask.pause"), path: "/pause", danger: true })) {
      refresh();
    }
  }

  function running() {
    return h(
      "section",
      { class: "panel", "aria-label": t("overview.jobs") },
      h("div", { class: "panel-head" }, h("h2", {}, t("overview.jobs")), h("a", { href: "/jobs" }, t("overview.all"))),
      goodput.jobs.length
        ? h(
            "div",
            { class: "halves" },
            h("div", { class: "rows" }, [...goodput.jobs].sort(larger).slice(0, 8).map(goodputBar)),
            goodput.losses.length
              ? h(
                  "div",
                  {},
                  h("h3", {}, t("overview.losses")),
                  lossBars(
                    goodput.losses.map((it) => ({ ...it, seconds: it.processSeconds })),
                    t("ledger.processTime"),
                  ),
                )
              : null,
          )
        : empty(t("jobs.none"), t("jobs.noneText")),
    );
  }

  return {
    name: "overview",
    title: () => t("nav.overview"),
    async load() {
      let newest;
      [goodput, { incidents: open }, { incidents: newest }, trust, lemons] = await Promise.all([
        get("/goodput"),
        get("/incidents?limit=300"),
        get("/incidents?all=true&limit=60"),
        get("/trust"),
        get("/lemons"),
        fleet.load(),
      ]);
      lately = newest
        .filter((it) => it.closed && !it.into)
        .sort((a, b) => b.closed.localeCompare(a.closed))
        .slice(0, OVER);
    },
    view: () => [
      figures(),
      h(
        "div",
        { class: "columns" },
        h("div", { class: "wide" }, map(), running()),
        h("div", { class: "side" }, list(), over(), offenders(), ledger()),
      ),
    ],
    wants: () => true,
    close: () => heatmap.close(),
  };
}
