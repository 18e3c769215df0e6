// One job: how each rank is, how fast it steps, what it lost, and what was decided for it.

import { get, part } from "../api.js";
import { h, widget } from "../dom.js";
import { ended, read } from "../fleet.js";
import { Heatmap, legend } from "../heatmap.js";
import { nodeOf } from "../live.js";
import { members } from "../members.js";
import { actor, empty } from "../signs.js";
import { StepChart } from "../step-chart.js";
import { t, word } from "../text.js";
import { ago, duration, now, number, percent, since } from "../units.js";
import { incidentRow, urgency } from "./incidents.js";
import { lossBars, PHASES } from "./jobs.js";

const DEVICES = /^(gpu|npu)\//;

/** Phase × cause, every lost minute. */
function ledger(losses) {
  const causes = [...new Set(losses.map((it) => it.cause))];
  const phases = [...PHASES, ...new Set(losses.map((it) => it.phase).filter((it) => !PHASES.includes(it)))];
  const sum = (list) => list.reduce((all, it) => all + it.seconds, 0);
  const cell = (list) => h("td", { class: list.length ? "" : "faint" }, list.length ? duration(sum(list)) : "–");
  return h(
    "table",
    { class: "figures-table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("ledger.cause")),
        phases.map((phase) => h("th", { scope: "col" }, word("phase", phase))),
        h("th", { scope: "col" }, t("ledger.total")),
      ),
    ),
    h(
      "tbody",
      {},
      causes.map((cause) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, cause),
          phases.map((phase) => cell(losses.filter((it) => it.cause === cause && it.phase === phase))),
          cell(losses.filter((it) => it.cause === cause)),
        ),
      ),
      h(
        "tr",
        { class: "total" },
        h("th", { scope: "row" }, t("ledger.total")),
        phases.map((phase) => cell(losses.filter((it) => it.phase === phase))),
        cell(losses),
      ),
    ),
  );
}

export function job({ go, redraw }, name) {
  let it = null;
  let health = null;
  const first = new Map();
  const chart = new StepChart();
  const grid = new Heatmap({
    open: (node) => go("/nodes/" + encodeURIComponent(node)),
    height: 320,
    describe: (row, device) => {
      const member = first.get(row.node);
      const at = device ? row.devices.indexOf(device) : -1;
      return (
        member &&
        (at < 0
          ? t("job.ranks", { from: member.firstRank, until: member.firstRank + member.processes - 1 })
          : t("job.rank", { rank: member.firstRank + at }))
      );
    },
  });

  function ranks() {
    const rows = new Map();
    first.clear();
    for (const member of members(it)) {
      first.set(member.node, member);
    }
    for (const row of read(health.heatmap)) {
      const used = row.devices.filter((device) => DEVICES.test(device)).slice(0, first.get(row.node)?.processes ?? 0);
      rows.set(row.node, { ...row, devices: used });
    }
    grid.show({
      rows,
      names: [...first.keys()].filter((node) => rows.has(node)),
      mode: "device",
      group: "rack",
    });
    return rows.size ? [legend(rows), widget(grid.element)] : empty(t("job.noRanks"));
  }

  function stepTimes() {
    chart.show(health.steps, health.attempts);
    return h(
      "section",
      { class: "panel" },
      h("div", { class: "panel-head" }, h("h2", {}, t("job.steps")), chart.choice(redraw)),
      widget(chart.element),
    );
  }

  function facts() {
    const line = health.line;
    const figure = (label, value, detail) =>
      h(
        "div",
        { class: "figure" },
        h("span", { class: "label" }, label),
        h("span", { class: "value" }, value),
        h("span", { class: "detail" }, detail ?? ""),
      );
    const old = it.checkpoint ? (now() - Date.parse(it.checkpoint)) / 1000 : null;
    return h(
      "section",
      { class: "figures" },
      figure(t("figure.goodput"), percent(line.goodput, 2), t("figure.lost", { time: duration(line.lostSeconds) })),
      figure(t("job.running"), duration(line.elapsedSeconds), t("job.begun")),
      figure(
        t("job.step"),
        it.step < 0 ? "–" : number(it.step),
        it.stepSeconds > 0 ? t("job.each", { time: duration(it.stepSeconds) }) : "",
      ),
      figure(
        t("job.checkpoint"),
        old === null ? "–" : since(it.checkpoint),
        it.checkpointSeconds > 0 ? t("job.every", { time: duration(it.checkpointSeconds) }) : "",
      ),
      figure(t("job.attempt"), number(it.attempt), t("job.restarts", { count: number(it.restarts) })),
      figure(t("job.size"), number(line.processes), t("count.nodes", { count: number(line.nodes) })),
    );
  }

  function attemptTable() {
    const running = !ended(it.state);
    return h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "figures-table attempts" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["job.attempt", "attempt.began", "attempt.lasted", "attempt.nodes", "attempt.steps"].map((key) =>
              h("th", { scope: "col" }, t(key)),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          [...health.attempts].reverse().map((one, index) =>
            h(
              "tr",
              { key: one.attempt },
              h("th", { scope: "row" }, number(one.attempt)),
              h("td", {}, ago(one.from)),
              h(
                "td",
                {},
                duration(((running && !index ? now() : Date.parse(one.until)) - Date.parse(one.from)) / 1000),
              ),
              h("td", {}, number(one.nodes)),
              h("td", {}, one.lastStep < 0 ? "–" : number(one.firstStep) + " – " + number(one.lastStep)),
            ),
          ),
        ),
      ),
    );
  }

  function attempts() {
    const lines = [...health.decisions].reverse();
    return h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, t("job.attempts")),
        h("span", { class: "faint" }, t("job.nowAttempt", { attempt: it.attempt })),
      ),
      health.attempts.length ? attemptTable() : null,
      h("h3", { class: "pad" }, t("job.decided")),
      lines.length
        ? h(
            "ul",
            { class: "remarks" },
            lines.map((one) =>
              h(
                "li",
                { key: one.decision },
                one.reason,
                " ",
                h("span", { class: "faint" }, actor(one.actor), " · ", ago(one.at)),
              ),
            ),
          )
        : empty(t("job.noAttempts"), t("job.noAttemptsText")),
    );
  }

  return {
    name: "job",
    title: () => name,
    async load() {
      [it, health] = await Promise.all([get("/jobs/" + part(name)), get("/jobs/" + part(name) + "/health")]);
      it.losses ??= [];
    },
    view: () => [
      h(
        "div",
        { class: "page-head" },
        h("h1", {}, name),
        h("span", { class: "stand " + it.state }, word("state", it.state)),
        h("span", { class: "faint" }, it.user ?? "", " · ", t("job.told"), " ", ago(it.told)),
      ),
      facts(),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "wide" },
          stepTimes(),
          h(
            "section",
            { class: "panel" },
            h(
              "div",
              { class: "panel-head" },
              h("h2", {}, t("job.grid")),
              h("span", { class: "faint" }, t("job.gridText")),
            ),
            ranks(),
          ),
          h(
            "section",
            { class: "panel" },
            h(
              "div",
              { class: "panel-head" },
              h("h2", {}, t("job.ledger")),
              h("span", { class: "faint" }, t("ledger.wallTime")),
            ),
            it.losses.length
              ? [lossBars(it.losses, ""), h("div", { class: "scroll" }, ledger(it.losses))]
              : empty(t("job.noLosses"), t("job.noLossesText")),
          ),
        ),
        h(
          "div",
          { class: "side" },
          h(
            "section",
            { class: "panel" },
            h("div", { class: "panel-head" }, h("h2", {}, t("job.incidents"))),
            health.incidents.length
              ? h(
                  "div",
                  { class: "rows" },
                  [...health.incidents]
                    .sort(urgency)
                    .map((one) =>
                      incidentRow(one, { enter: () => grid.highlight(one.nodes), leave: () => grid.highlight(null) }),
                    ),
                )
              : empty(t("job.noIncidents")),
          ),
          attempts(),
        ),
      ),
    ],
    wants: (entry) =>
      entry.job?.job === name || entry.job === name || entry.progress?.job === name || /^incident\./.test(entry.kind) || first.has(nodeOf(entry)),
    close: () => grid.close(),
  };
}
