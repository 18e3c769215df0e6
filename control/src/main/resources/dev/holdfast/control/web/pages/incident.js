// One incident: what caused it, what followed, what is known, what was decided and why, and what
// else could have been done.

import { get, part, save } from "../api.js";
import { decisionCard, verdicts } from "../decision.js";
import { decide } from "../dialog.js";
import { h } from "../dom.js";
import { findingCard } from "../finding.js";
import { nodeOf } from "../live.js";
import { actor, empty, incidentLink, jobLink, mark, nodeLink, rank, severity, stand, subject } from "../signs.js";
import { t, word } from "../text.js";
import { ago, clock, duration, exact, natural, number } from "../units.js";

const FOLD = 3;
const EVIDENCE = 30;

/** The jobs it hurts; of one that is over, those that were asked something: others run there now. */
function jobsOf(it) {
  const asked = it.decisions.flatMap((one) => one.actions ?? []).filter((one) => one.target.startsWith("run/"));
  return [...new Set([...(it.closed ? [] : it.jobs), ...asked.map((one) => one.target.slice(4))])];
}

/** Everything that happened, in order; many alike at once become one line. */
function happenings(it) {
  const found = [];
  const add = (at, kind, sign, ...content) => found.push({ at, kind, sign, content });
  const waves = new Map();
  for (const finding of it.findingList) {
    const key = finding.check + "|" + finding.severity + "|" + Math.floor(Date.parse(finding.first) / 2000);
    waves.set(key, [...(waves.get(key) ?? []), finding]);
  }
  for (const wave of waves.values()) {
    const [first] = wave;
    if (wave.length > FOLD) {
      add(
        first.first,
        "finding",
        first.severity,
        h("b", {}, t("timeline.wave", { count: wave.length, check: first.check })),
        " ",
        h("span", { class: "faint" }, spread(wave)),
      );
    } else {
      wave.forEach((one) =>
        add(one.first, "finding", one.severity, h("b", {}, one.summary), " ", h("span", { class: "faint" }, one.check)),
      );
    }
    const cleared = wave.filter((one) => one.cleared);
    if (cleared.length) {
      const last = cleared
        .map((one) => one.cleared)
        .sort()
        .at(-1);
      add(
        last,
        "cleared",
        null,
        cleared.length > 1
          ? t("timeline.clearedMany", { count: cleared.length, check: first.check })
          : t("timeline.cleared", { what: cleared[0].summary }),
      );
    }
  }
  const hurt = jobsOf(it);
  if (hurt.length) {
    add(
      it.opened,
      "job",
      null,
      t("timeline.jobs"),
      " ",
      hurt.slice(0, 5).map((job) => [jobLink(job), " "]),
    );
  }
  for (const decision of it.decisions) {
    add(
      decision.at,
      "decision",
      null,
      h("b", {}, word("rung", decision.rung)),
      " ",
      subject(decision.subject),
      " ",
      h("span", { class: "faint" }, actor(decision.actor) + (decision.rule ? " · " + decision.rule : "")),
    );
    for (const action of decision.actions ?? []) {
      add(action.at, "action", null, t("timeline.asked", { what: word("request", action.kind), whom: action.target }));
      if (action.ended) {
        add(
          action.ended,
          action.kind === "verify" ? "verification" : "action",
          null,
          t("timeline.answered", { what: word("request", action.kind), answer: word("answer", action.answer) }),
          action.detail && action.detail !== action.answer ? h("span", { class: "faint" }, " " + action.detail) : null,
        );
      }
    }
    if (decision.settledWhy && decision.standSince !== decision.at) {
      add(
        decision.standSince,
        "decision",
        null,
        stand(decision.stand),
        " ",
        actor(decision.settledBy) + ": " + decision.settledWhy,
      );
    }
  }
  it.remarks.forEach((remark) => add(remark.at, "remark", null, h("b", {}, actor(remark.actor)), ": ", remark.text));
  if (it.closed) {
    add(it.closed, "closed", null, t("timeline.closed", { why: it.closedWhy ?? "" }));
  }
  const order = ["finding", "job", "cleared", "decision", "verification", "action", "remark", "closed"];
  return found.sort((a, b) => a.at.localeCompare(b.at) || order.indexOf(a.kind) - order.indexOf(b.kind));
}

function spread(wave) {
  const nodes = [...new Set(wave.map((one) => one.subject.split("/")[1]))].sort(natural);
  return nodes.slice(0, 6).join(", ") + (nodes.length > 6 ? " … " + t("more", { count: nodes.length - 6 }) : "");
}

function timeline(it) {
  const begin = Date.parse(it.opened);
  return h(
    "ol",
    { class: "timeline" },
    h(
      "li",
      { class: "at-cause" },
      h("span", { class: "when" }, h("span", { title: exact(it.opened) }, clock(it.opened))),
      h("span", { class: "dot" }),
      h(
        "span",
        { class: "what" },
        h("span", { class: "kind" }, t("timeline.cause")),
        h("b", {}, word("cause", it.cause.kind)),
        " ",
        cause(it.cause),
      ),
    ),
    happenings(it).map((one) =>
      h(
        "li",
        { class: "at-" + one.kind },
        h(
          "span",
          { class: "when", title: exact(one.at) },
          "+" + duration(Math.max(0, (Date.parse(one.at) - begin) / 1000)),
        ),
        h("span", { class: "dot " + (one.sign ?? "") }, one.sign ? mark(one.sign) : null),
        h("span", { class: "what" }, h("span", { class: "kind" }, t("kind." + one.kind)), one.content),
      ),
    ),
  );
}

function cause({ kind, name }) {
  if (name.startsWith("node/")) {
    return subject(name);
  }
  return kind === "node"
    ? nodeLink(name)
    : kind === "job"
      ? jobLink(name)
      : h("a", { href: "/search?q=" + part(name), class: "name" }, name);
}

export function incident({ refresh, redraw }, id) {
  let it = null;
  let saving = null;

  const newest = () => it?.decisions.at(-1);
  const press = (name) => () => newest() && verdicts(newest(), refresh)[name]?.();

  async function note() {
    if (await decide({ title: t("action.note"), path: "/notes", field: "text", body: { subject: "incident/" + id } })) {
      refresh();
    }
  }

  /** Everything known of it as a signed archive, to be kept or sent to the vendor. */
  async function download() {
    saving = { busy: true };
    redraw();
    try {
      saving = { done: await save("/incidents/" + part(id) + "/evidence") };
    } catch (failed) {
      saving = { problem: failed.status === 0 ? t("error." + failed.message) : failed.message };
    }
    redraw();
  }

  function saved() {
    if (!saving || saving.busy) {
      return null;
    }
    return saving.problem
      ? h("p", { class: "problem pad", role: "alert" }, t("incident.notSaved", { why: saving.problem }))
      : h("p", { class: "faint pad", role: "status" }, t("incident.saved", { name: saving.done }));
  }

  function view() {
    const decisions = [...it.decisions].reverse();
    const findings = [...it.findingList].sort(
      (a, b) =>
        Number(b.holds) - Number(a.holds) || rank(b.severity) - rank(a.severity) || a.first.localeCompare(b.first),
    );
    return [
      h(
        "div",
        { class: "page-head" },
        h("h1", {}, mark(it.severity), " ", it.title),
        h(
          "p",
          { class: "faint" },
          it.incident,
          " · ",
          severity(it.severity),
          " · ",
          t("incident.opened"),
          " ",
          ago(it.opened),
          it.closed ? [" · ", t("incident.closed"), " ", ago(it.closed)] : null,
          it.into ? [" · ", t("incident.partOf"), " ", incidentLink(it.into)] : null,
          it.nodes.length
            ? [
                " · ",
                it.nodes.length === 1 ? nodeLink(it.nodes[0]) : t("count.nodes", { count: number(it.nodes.length) }),
              ]
            : null,
          jobsOf(it).length
            ? [
                " · ",
                t("incident.jobs"),
                " ",
                jobsOf(it)
                  .slice(0, 4)
                  .map((job) => [jobLink(job), " "]),
              ]
            : null,
        ),
      ),
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
              h("h2", {}, t("incident.timeline")),
              h("button", { class: "quiet", onclick: note }, t("action.note")),
            ),
            timeline(it),
          ),
          h(
            "section",
            { class: "panel" },
            h(
              "div",
              { class: "panel-head" },
              h("h2", {}, t("incident.evidence")),
              h("span", { class: "faint" }, t("count.findings", { count: number(findings.length) })),
              h(
                "button",
                {
                  class: "quiet download",
                  disabled: saving?.busy === true,
                  title: t("incident.downloadText"),
                  onclick: download,
                },
                t(saving?.busy ? "incident.saving" : "incident.download"),
                h("kbd", {}, "e"),
              ),
            ),
            saved(),
            findings.slice(0, EVIDENCE).map((one, index) => findingCard(one, index === 0)),
            findings.length > EVIDENCE
              ? h("p", { class: "faint pad" }, t("more", { count: findings.length - EVIDENCE }))
              : null,
          ),
        ),
        h(
          "div",
          { class: "side" },
          h(
            "section",
            { class: "panel" },
            h("div", { class: "panel-head" }, h("h2", {}, t("incident.decision"))),
            decisions.length
              ? decisions.map((one, index) => decisionCard(one, refresh, { newest: index === 0 }))
              : empty(t("incident.undecided"), t("incident.undecidedText")),
          ),
          affected(),
        ),
      ),
    ];
  }

  function affected() {
    return it.nodes.length > 1
      ? h(
          "section",
          { class: "panel" },
          h(
            "div",
            { class: "panel-head" },
            h("h2", {}, t("incident.nodes")),
            h("span", { class: "faint" }, number(it.nodes.length)),
          ),
          h(
            "div",
            { class: "names" },
            [...it.nodes]
              .sort(natural)
              .slice(0, 200)
              .map((name) => nodeLink(name)),
            it.nodes.length > 200 ? h("span", { class: "faint" }, t("more", { count: it.nodes.length - 200 })) : null,
          ),
        )
      : null;
  }

  return {
    name: "incident",
    title: () => it?.title ?? id,
    async load() {
      it = await get("/incidents/" + part(id));
      it.decisions ??= [];
      it.remarks ??= [];
    },
    view,
    wants: (entry) =>
      entry.incident === id ||
      /^(decision|action)\./.test(entry.kind) ||
      it?.nodes.includes(nodeOf(entry)) ||
      entry.subject === "incident/" + id,
    keys: { a: press("approve"), r: press("reject"), w: press("wrong"), e: () => !saving?.busy && download() },
  };
}
