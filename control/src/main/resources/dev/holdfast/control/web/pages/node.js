// One node: what it is, how each device is, what was found, decided and done, and where it stands.

import { get, part } from "../api.js";
import { decisionCard } from "../decision.js";
import { decide } from "../dialog.js";
import { h, s } from "../dom.js";
import { findingCard } from "../finding.js";
import { nodeOf } from "../live.js";
import { actor, empty, incidentLink, jobLink, mark, rank, service } from "../signs.js";
import { t, word } from "../text.js";
import { ago, clock, duration, exact, now, number } from "../units.js";

const LANES = 14;

/** The worst that holds of each part. */
function worst(findings) {
  const parts = {};
  for (const it of findings.filter((one) => one.holds)) {
    const name = it.subject.split("/").slice(2).join("/");
    if (rank(it.severity) > rank(parts[name])) {
      parts[name] = it.severity;
    }
  }
  return parts;
}

/** Devices under the switch they share, and the rail each is on. */
function picture(it) {
  const devices = it.description?.devices ?? [];
  if (devices.length === 0) {
    return empty(t("node.noDevices"), t("node.noDevicesText"));
  }
  const parts = worst(it.findingList);
  const switches = new Map();
  for (const device of devices) {
    const name = device.pciSwitch ?? "";
    switches.set(name, [...(switches.get(name) ?? []), device]);
  }
  const chip = (device) => {
    const name = device.kind + "/" + device.name;
    const severity = parts[name] ?? null;
    const rail = device.rail ? " · " + device.rail : "";
    return h(
      "span",
      {
        class: "chip " + (severity ?? "well"),
        title: name + " " + (device.product ?? "") + rail + " · " + word("severity", severity ?? "none"),
      },
      mark(severity),
      h("b", {}, device.kind + " " + device.name),
      h("small", {}, device.rail ?? device.product ?? ""),
    );
  };
  const kinds = [...new Set(devices.map((one) => one.kind))];
  return h(
    "div",
    { class: "inside" },
    h(
      "div",
      { class: "cpu" },
      it.node,
      h(
        "small",
        {},
        Object.entries(it.description.versions ?? {})
          .map(([kind, version]) => kind + " " + version)
          .join(" · "),
      ),
    ),
    h(
      "div",
      { class: "switches" },
      [...switches].map(([name, members]) =>
        h(
          "div",
          { class: "switch", key: name },
          h("small", {}, name || t("node.direct")),
          kinds.map((kind) => h("div", { class: "chips" }, members.filter((one) => one.kind === kind).map(chip))),
        ),
      ),
    ),
    h(
      "div",
      { class: "uplinks" },
      Object.entries(it.place ?? {}).map(([kind, name]) =>
        h("a", { class: "place", href: "/search?q=" + part(name) }, h("small", {}, word("place", kind)), name),
      ),
    ),
  );
}

/** Findings as bars over time, decisions as strokes: what held when, and what was done then. */
function history(it) {
  const lanes = [...it.findingList].sort((a, b) => b.last.localeCompare(a.last)).slice(0, LANES);
  const moments = [...lanes.map((one) => one.first), ...it.decisions.map((one) => one.at), it.since].map((one) =>
    Date.parse(one),
  );
  if (lanes.length === 0) {
    return empty(t("node.noHistory"));
  }
  const end = now();
  const begin = Math.min(...moments, end - 60_000);
  const span = end - begin;
  const width = 1000;
  const x = (time) => ((time - begin) / span) * width;
  const height = lanes.length * 20 + 26;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => begin + share * span);
  return h(
    "div",
    { class: "history" },
    h(
      "div",
      { class: "history-names" },
      lanes.map((one) =>
        h(
          "span",
          { title: one.subject },
          mark(one.severity),
          " ",
          one.check,
          " ",
          h("span", { class: "faint" }, one.subject.split("/").slice(2).join("/")),
        ),
      ),
    ),
    s(
      "svg",
      {
        viewBox: "0 0 " + width + " " + height,
        preserveAspectRatio: "none",
        height,
        role: "img",
        "aria-label": t("node.historyLabel"),
      },
      ticks.map((time) => s("line", { x1: x(time), x2: x(time), y1: 0, y2: lanes.length * 20, class: "tick" })),
      lanes.map((one, lane) => {
        const from = x(Date.parse(one.first));
        const until = x(one.cleared ? Date.parse(one.cleared) : one.holds ? end : Date.parse(one.last));
        return s(
          "rect",
          {
            x: from,
            y: lane * 20 + 5,
            width: Math.max(4, until - from),
            height: 10,
            rx: 2,
            class: "span " + one.severity + (one.holds ? "" : " over"),
          },
          s("title", {}, one.summary + " · " + exact(one.first)),
        );
      }),
      it.decisions.map((one) =>
        s(
          "line",
          { x1: x(Date.parse(one.at)), x2: x(Date.parse(one.at)), y1: 0, y2: lanes.length * 20, class: "decided" },
          s("title", {}, word("rung", one.rung) + " · " + one.reason),
        ),
      ),
    ),
    h(
      "div",
      { class: "history-axis" },
      ticks.map((time) =>
        h(
          "span",
          { title: exact(new Date(time).toISOString()) },
          span > 86_400_000 * 2 ? new Date(time).toISOString().slice(5, 10) : clock(time).slice(0, 8),
        ),
      ),
    ),
  );
}

export function node({ refresh }, name) {
  let it = null;

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
      it = await get("/nodes/" + part(name));
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
            picture(it),
          ),
          h(
            "section",
            { class: "panel" },
            h("div", { class: "panel-head" }, h("h2", {}, t("node.history"))),
            history(it),
          ),
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
  };
}
