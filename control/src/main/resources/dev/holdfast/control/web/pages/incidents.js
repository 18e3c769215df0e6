// All incidents: those that wait for a person first, then the worst, then the newest.

import { get } from "../api.js";
import { h } from "../dom.js";
import { empty, mark, rank, stand } from "../signs.js";
import { t, word } from "../text.js";
import { ago, number } from "../units.js";

const LIMIT = 500;

export function urgency(a, b) {
  const asks = (it) => (!it.closed && it.decision?.stand === "asking" ? 1 : 0);
  return asks(b) - asks(a) || rank(b.severity) - rank(a.severity) || b.opened.localeCompare(a.opened);
}

/** One incident in a line; the whole line leads to it. */
export function incidentRow(it, { enter = null, leave = null } = {}) {
  const decision = it.decision;
  const asking = decision?.stand === "asking" && !it.closed;
  return h(
    "a",
    {
      class: "row incident " + (asking ? "asking" : ""),
      href: "/incidents/" + encodeURIComponent(it.incident),
      "data-row": "",
      key: it.incident,
      onpointerenter: enter,
      onpointerleave: leave,
      onfocus: enter,
      onblur: leave,
    },
    h(
      "span",
      { class: "row-mark", title: word("severity", it.severity ?? "none") },
      mark(it.severity),
      h("span", { class: "hidden" }, word("severity", it.severity ?? "none")),
    ),
    h(
      "span",
      { class: "row-text" },
      h("span", { class: "row-title" }, it.title),
      h(
        "span",
        { class: "row-detail" },
        h("span", { class: "faint" }, it.incident),
        h("span", {}, word("cause", it.cause.kind)),
        it.nodes.length === 1 ? h("span", {}, it.nodes[0]) : null,
        it.nodes.length > 1 ? h("span", {}, t("count.nodes", { count: number(it.nodes.length) })) : null,
        it.jobs.length && !it.closed
          ? h("span", {}, t("incident.hurts", { jobs: it.jobs.slice(0, 2).join(", ") }))
          : null,
        it.into ? h("span", {}, t("incident.into", { other: it.into })) : null,
      ),
    ),
    h(
      "span",
      { class: "row-end" },
      it.closed
        ? h("span", { class: "stand done" }, t("incident.closed"))
        : decision
          ? [h("span", { class: "rung" }, word("rung", decision.rung)), stand(decision.stand)]
          : h("span", { class: "faint" }, t("incident.undecided")),
      ago(it.opened),
    ),
  );
}

export function incidents({ redraw }) {
  let list = [];
  let all = new URLSearchParams(location.search).has("all");
  let most = "";

  function show(which) {
    all = which;
    history.replaceState(null, "", which ? "/incidents?all" : "/incidents");
    load().then(redraw);
  }

  async function load() {
    ({ incidents: list } = await get("/incidents?limit=" + LIMIT + (all ? "&all=true" : "")));
  }

  return {
    name: "incidents",
    title: () => t("nav.incidents"),
    load,
    view() {
      const shown = list
        .filter((it) => !most || it.severity === most)
        .sort(all ? (a, b) => b.opened.localeCompare(a.opened) : urgency);
      return [
        h(
          "div",
          { class: "page-head" },
          h("h1", {}, t("nav.incidents")),
          h(
            "div",
            { class: "choice", role: "group", "aria-label": t("incidents.which") },
            h("button", { "aria-pressed": String(!all), onclick: () => show(false) }, t("incidents.open")),
            h("button", { "aria-pressed": String(all), onclick: () => show(true) }, t("incidents.all")),
          ),
          h(
            "div",
            { class: "choice", role: "group", "aria-label": t("incidents.severity") },
            ["", "fatal", "degraded", "warning"].map((it) =>
              h(
                "button",
                { "aria-pressed": String(most === it), key: it || "any", onclick: () => ((most = it), redraw()) },
                it ? [mark(it), " ", word("severity", it)] : t("incidents.any"),
              ),
            ),
          ),
        ),
        h(
          "section",
          { class: "panel" },
          shown.length
            ? h(
                "div",
                { class: "rows" },
                shown.map((it) => incidentRow(it)),
              )
            : empty(t(all ? "incidents.never" : "overview.calm"), t("overview.calmText")),
          list.length >= LIMIT ? h("p", { class: "faint pad" }, t("incidents.limit", { count: LIMIT })) : null,
        ),
      ];
    },
    wants: (entry) => /^(incident|decision|finding)\./.test(entry.kind),
  };
}
