// Jobs, how much of their time trained the model, and where the rest went.

import { get } from "../api.js";
import { h } from "../dom.js";
import { ended } from "../fleet.js";
import { empty } from "../signs.js";
import { t, word } from "../text.js";
import { ago, duration, number, percent } from "../units.js";

export const PHASES = ["detect", "decide", "stop", "restart", "re-init", "recompute"];

export function larger(a, b) {
  return b.processes - a.processes || a.job.localeCompare(b.job);
}

/** A job in a line with its goodput. */
export function goodputBar(it) {
  return h(
    "a",
    { class: "row job", href: "/jobs/" + encodeURIComponent(it.job), "data-row": "", key: it.job },
    h(
      "span",
      { class: "row-text" },
      h("span", { class: "row-title" }, it.job),
      h(
        "span",
        { class: "row-detail" },
        h("span", {}, word("state", it.state)),
        h("span", {}, t("count.nodes", { count: number(it.nodes) })),
        it.restarts ? h("span", {}, t("job.restarts", { count: it.restarts })) : null,
        h("span", { class: "faint" }, it.user),
      ),
    ),
    h(
      "span",
      { class: "goodput" },
      h("span", { class: "bar" }, h("i", { style: "width:" + 100 * (it.goodput ?? 0) + "%" })),
      h("b", {}, percent(it.goodput)),
    ),
  );
}

/** Lost time by cause, each bar made of its phases. */
export function lossBars(losses, unit) {
  const causes = new Map();
  for (const loss of losses) {
    const phases = causes.get(loss.cause) ?? {};
    phases[loss.phase] = (phases[loss.phase] ?? 0) + loss.seconds;
    causes.set(loss.cause, phases);
  }
  const total = (phases) => Object.values(phases).reduce((sum, it) => sum + it, 0);
  const sorted = [...causes].sort((a, b) => total(b[1]) - total(a[1]));
  const most = Math.max(1, ...sorted.map(([, phases]) => total(phases)));
  const used = PHASES.filter((phase) => losses.some((it) => it.phase === phase));
  const others = [...new Set(losses.map((it) => it.phase))].filter((it) => !PHASES.includes(it));
  return h(
    "div",
    { class: "ledger" },
    sorted.map(([name, phases]) =>
      h(
        "div",
        { class: "ledger-row" },
        h("span", { class: "ledger-cause" }, name),
        h(
          "span",
          { class: "ledger-bar" },
          [...used, ...others]
            .filter((phase) => phases[phase])
            .map((phase) =>
              h("i", {
                class: "phase-" + (PHASES.indexOf(phase) + 1),
                style: "width:" + (100 * phases[phase]) / most + "%",
                title: word("phase", phase) + ": " + duration(phases[phase]),
              }),
            ),
        ),
        h("b", {}, duration(total(phases))),
      ),
    ),
    h(
      "p",
      { class: "ledger-legend" },
      [...used, ...others].map((phase) =>
        h("span", {}, h("i", { class: "phase-" + (PHASES.indexOf(phase) + 1) }), word("phase", phase)),
      ),
      h("span", { class: "faint" }, unit),
    ),
  );
}

export function jobs({ redraw }) {
  let lines = [];
  let past = [];
  let all = false;

  async function load() {
    const answers = await Promise.all([get("/goodput"), all ? get("/jobs") : null]);
    lines = answers[0].jobs;
    past = (answers[1]?.jobs ?? []).filter((it) => ended(it.state));
  }

  return {
    name: "jobs",
    title: () => t("nav.jobs"),
    load,
    view: () => [
      h(
        "div",
        { class: "page-head" },
        h("h1", {}, t("nav.jobs")),
        h(
          "div",
          { class: "choice", role: "group", "aria-label": t("jobs.which") },
          h(
            "button",
            { "aria-pressed": String(!all), onclick: () => ((all = false), (past = []), redraw()) },
            t("jobs.running"),
          ),
          h(
            "button",
            { "aria-pressed": String(all), onclick: () => ((all = true), load().then(redraw)) },
            t("jobs.all"),
          ),
        ),
      ),
      h(
        "section",
        { class: "panel" },
        lines.length + past.length === 0 ? empty(t("jobs.none"), t("jobs.noneText")) : null,
        h("div", { class: "rows" }, [...lines].sort(larger).map(goodputBar)),
        h(
          "div",
          { class: "rows" },
          past.map((it) =>
            h(
              "a",
              { class: "row job", href: "/jobs/" + encodeURIComponent(it.job), "data-row": "", key: it.job },
              h(
                "span",
                { class: "row-text" },
                h("span", { class: "row-title" }, it.job),
                h(
                  "span",
                  { class: "row-detail" },
                  h("span", {}, word("state", it.state)),
                  h("span", {}, t("count.nodes", { count: number(it.nodes) })),
                ),
              ),
              h("span", { class: "row-end" }, ago(it.told)),
            ),
          ),
        ),
      ),
    ],
    wants: (entry) => entry.kind.startsWith("job."),
  };
}
