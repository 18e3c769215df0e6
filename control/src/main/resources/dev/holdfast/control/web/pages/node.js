// One node: what it is, how each device is, what was found, decided and done, and where it stands.

import { get, part } from "../api.js";
import { decisionCard } from "../decision.js";
import { decide } from "../dialog.js";
import { h } from "../dom.js";
import { findingCard } from "../finding.js";
import { historyChart, historyCounts } from "../history.js";
import { nodeOf } from "../live.js";
import { actor, empty, incidentLink, jobLink, mark, rank, service } from "../signs.js";
import { t, word } from "../text.js";
import { topology } from "../topology.js";
import { ago, duration, now, number } from "../units.js";

const WINDOWS = ["1h", "24h", "7d", "90d"];
const USUAL = "24h";
/** Bars of what still holds grow. */
const PACE = 20_000;

function places(it) {
  return h(
    "div",
    { class: "uplinks" },
    Object.entries(it.place ?? {}).map(([kind, name]) =>
      h("a", { class: "place", href: "/search?q=" + part(name) }, h("small", {}, word("place", kind)), name),
    ),
  );
}

export function node({ refresh, redraw }, name) {
  let it = null;
  let past = null;
  let window = new URLSearchParams(location.search).get("window") ?? USUAL;

  const pace = setInterval(() => document.hidden || refresh(), PACE);

  async function remember() {
    past = await get("/nodes/" + part(name) + "/history?window=" + part(window));
  }

  function look(other) {
    window = other;
    history.replaceState(null, "", "/nodes/" + part(name) + (other === USUAL ? "" : "?window=" + part(other)));
    remember().then(redraw, refresh);
  }

  function chosen() {
    return h(
      "div",
      { class: "choice", role: "group", "aria-label": t("history.window") },
      WINDOWS.map((one) =>
        h(
          "button",
          { "aria-pressed": String(one === window), key: one, onclick: () => look(one) },
          word("window", one),
        ),
      ),
    );
  }

  function course() {
    const calm = past.findings.length === 0 && past.incidents.length === 0 && past.services.length < 2;
    return h(
      "section",
      { class: "panel" },
      h("div", { class: "panel-head" }, h("h2", {}, t("node.history")), chosen()),
      calm && past.services[0].service === "in" && past.silences.length === 0
        ? empty(
            t("node.noHistory"),
            t("node.noHistoryText", { time: duration(past.counts.seconds) }),
          )
        : [historyCounts(past), historyChart(past, it.decisions)],
    );
  }

  async function ask(what, path, extra = {}) {
    if (await decide({ title: t("action." + what), text: t("ask." + what, { node: name }), path, ...extra })) {
      refresh();
    }
  }

  function buttons() {
    const serves = it.service === "in" || it.service === "suspect";
    return h(
      "div",
      { class: "buttons" },
      serves
        ? h("button", { onclick: () => ask("drain", "/nodes/" + part(name) + "/drain") }, t("action.drain"))
        : null,
      serves
        ? h(
            "button",
            {
              class: "quiet",
              onclick: () => ask("drainNow", "/nodes/" + part(name) + "/drain", { body: { now: true }, danger: true }),
            },
            t("action.drainNow"),
          )
        : null,
      serves
        ? null
        : h(
            "button",
            { class: "primary", onclick: () => ask("undrain", "/nodes/" + part(name) + "/undrain") },
            t("action.undrain"),
          ),
      h(
        "button",
        { class: "quiet", onclick: () => ask("note", "/notes", { field: "text", body: { subject: "node/" + name } }) },
        t("action.note"),
      ),
    );
  }

  function head() {
    return h(
      "div",
      { class: "page-head" },
      h("h1", {}, mark(it.severity), " ", it.node),
      service(it.service),
      it.silentSince
        ? h(
            "span",
            { class: "stand failed" },
            t("node.silent"),
            " ",
            duration((now() - Date.parse(it.silentSince)) / 1000),
          )
        : null,
      buttons(),
      h(
        "p",
        { class: "faint" },
        t("node.since"),
        " ",
        ago(it.since),
        it.why ? " · " + actor(it.actor) + ": " + it.why : null,
        it.incident ? [" · ", incidentLink(it.incident)] : null,
        it.job ? [" · ", t("node.job"), " ", jobLink(it.job)] : null,
        it.incidents ? " · " + t("node.incidents", { count: number(it.incidents) }) : null,
      ),
      it.refusals
        ? h(
            "p",
            { class: "faint", "data-refused": String(it.refused) },
            t("node.refused", { count: number(it.refused) }),
            " ",
            ago(it.refusals.last),
            ": ",
            it.refusals.why,
          )
        : null,
    );
  }

  function findings() {
    const sorted = [...it.findingList].sort(
      (a, b) =>
        Number(b.holds) - Number(a.holds) || rank(b.severity) - rank(a.severity) || b.last.localeCompare(a.last),
    );
    return h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, t("nav.findings")),
        h("span", { class: "faint" }, number(sorted.length)),
      ),
      sorted.length ? sorted.slice(0, 60).map((one) => findingCard(one)) : empty(t("node.well"), t("node.wellText")),
    );
  }

  function remarks() {
    return h(
      "section",
      { class: "panel" },
      h("div", { class: "panel-head" }, h("h2", {}, t("node.remarks"))),
      it.remarks.length
        ? h(
            "ul",
            { class: "remarks" },
            [...it.remarks]
              .reverse()
              .map((one) =>
                h(
                  "li",
                  {},
                  h("b", {}, actor(one.actor)),
                  " ",
                  one.text,
                  " ",
                  h("span", { class: "faint" }, ago(one.at)),
                ),
              ),
          )
        : empty(t("node.noRemarks")),
    );
  }

  return {
    name: "node",
    title: () => name,
    async load() {
      [it] = await Promise.all([get("/nodes/" + part(name)), remember()]);
      it.findingList ??= [];
      it.decisions ??= [];
      it.remarks ??= [];
    },
    view: () => [
      head(),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "wide" },
          h(
            "section",
            { class: "panel" },
            h(
              "div",
              { class: "panel-head" },
              h("h2", {}, t("node.devices")),
              h("span", { class: "faint" }, number(it.devices)),
            ),
            topology(it),
            places(it),
          ),
          course(),
          findings(),
        ),
        h(
          "div",
          { class: "side" },
          h(
            "section",
            { class: "panel" },
            h("div", { class: "panel-head" }, h("h2", {}, t("node.decisions"))),
            it.decisions.length
              ? [...it.decisions]
                  .reverse()
                  .slice(0, 20)
                  .map((one, index) => decisionCard(one, refresh, { newest: index === 0 }))
              : empty(t("node.noDecisions")),
          ),
          remarks(),
        ),
      ),
    ],
    wants: (entry) => nodeOf(entry) === name || /^(action|decision)\./.test(entry.kind),
    close: () => clearInterval(pace),
  };
}
