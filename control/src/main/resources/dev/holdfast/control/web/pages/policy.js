// The rules in force: what each looks for, what it does, whether it acts, and what it did.

import { get } from "../api.js";
import { decide } from "../dialog.js";
import { h } from "../dom.js";
import { empty, incidentLink, mark } from "../signs.js";
import { t, word } from "../text.js";
import { ago, duration, exact, number, percent } from "../units.js";

const PROBLEMS = 12;

function when(it) {
  const parts = [];
  parts.push(
    it.checks.length
      ? it.checks.map((check) => [h("code", {}, check), " "])
      : it.classes.length
        ? null
        : t("policy.anyCheck"),
  );
  if (it.classes.length) {
    parts.push(it.classes.map((name) => word("class", name)).join(", "));
  }
  parts.push(t("policy.atLeast", { severity: word("severity", it.severity) }));
  if (it.offender) {
    parts.push(t("policy.offends"));
  }
  if (it.repeated) {
    parts.push(
      t(it.repeated.wholeNode ? "policy.repeatedNode" : "policy.repeated", {
        times: it.repeated.times,
        time: duration(it.repeated.withinSeconds),
      }),
    );
  }
  if (it.causes.length) {
    parts.push(t("policy.cause", { kinds: it.causes.map((kind) => word("cause", kind)).join(", ") }));
  }
  if (it.job !== "any") {
    parts.push(t("policy.job." + it.job));
  }
  return parts.filter(Boolean).flatMap((part, index) => (index ? [" · ", part] : [part]));
}

function rule(it) {
  const fired = Object.entries(it.fired);
  return h(
    "tr",
    { id: it.rule, key: it.rule, class: location.hash === "#" + it.rule ? "meant" : "" },
    h("td", {}, h("b", {}, it.rule), h("p", { class: "faint" }, it.reason)),
    h("td", {}, when(it.when)),
    h(
      "td",
      {},
      h("span", { class: "rung" }, word("rung", it.then)),
      it.settleSeconds ? h("p", { class: "faint" }, t("policy.settle", { time: duration(it.settleSeconds) })) : null,
      it.coolDownSeconds
        ? h("p", { class: "faint" }, t("policy.coolDown", { time: duration(it.coolDownSeconds) }))
        : null,
    ),
    h(
      "td",
      {},
      it.enforce
        ? h(
            "span",
            { class: "stand " + (it.approval ? "asking" : "acting") },
            t(it.approval ? "policy.asks" : "policy.acts"),
          )
        : h("span", { class: "stand recommended" }, t("policy.observes")),
    ),
    h(
      "td",
      {},
      fired.length
        ? [
            fired.map(([name, count]) => h("div", {}, number(count) + " × " + word("stand", name))),
            h(
              "p",
              { class: "faint" },
              ago(it.lastFired),
              it.lastIncident ? [" · ", incidentLink(it.lastIncident)] : null,
            ),
          ]
        : h("span", { class: "faint" }, t("policy.never")),
    ),
  );
}

export function policy({ refresh, numbers }) {
  let it = null;

  function mode() {
    const acting = it.rules.filter((one) => one.enforce).length;
    if (numbers().paused) {
      return h("span", { class: "stand held" }, t("policy.paused"));
    }
    return acting
      ? h("span", { class: "stand acting" }, t("policy.enforcing", { count: acting, all: it.rules.length }))
      : h("span", { class: "stand recommended" }, t("policy.observeOnly"));
  }

  async function stop() {
    const name = numbers().paused ? "resume" : "pause";
    if (
      await decide({ title: t("action." + name), text: t("ask." + name), path: "/" + name, danger: name === "pause" })
    ) {
      refresh();
    }
  }

  function guard() {
    const line = (label, value) => [h("dt", {}, label), h("dd", {}, value)];
    return h(
      "section",
      { class: "panel" },
      h("div", { class: "panel-head" }, h("h2", {}, t("policy.guard"))),
      h("p", { class: "faint pad" }, t("policy.guardText")),
      h(
        "dl",
        { class: "pad" },
        line(
          t("guard.share"),
          t("guard.shareValue", { share: percent(it.guard.share, 0), nodes: number(it.guard.nodes) }),
        ),
        line(t("guard.rack"), number(it.guard.perRack)),
        line(t("guard.job"), number(it.guard.perJob)),
        line(
          t("guard.burst"),
          t("guard.burstValue", { count: number(it.guard.burst), time: duration(it.guard.windowSeconds) }),
        ),
        line(t("policy.silence"), duration(it.silenceSeconds)),
        line(
          t("policy.offender"),
          t("policy.offenderValue", { count: it.offenderIncidents, time: duration(it.offenderSeconds) }),
        ),
      ),
    );
  }

  function windows() {
    return h(
      "section",
      { class: "panel" },
      h("div", { class: "panel-head" }, h("h2", {}, t("policy.windows"))),
      it.windows.length
        ? h(
            "dl",
            { class: "pad" },
            it.windows.map((one) => [
              h("dt", { title: exact(one.from) }, one.nodes),
              h("dd", {}, one.why, " · ", exact(one.from), " – ", exact(one.until)),
            ]),
          )
        : empty(t("policy.noWindows")),
    );
  }

  return {
    name: "policy",
    title: () => t("nav.policy"),
    async load() {
      it = await get("/policy");
    },
    view: () => [
      h(
        "div",
        { class: "page-head" },
        h("h1", {}, t("nav.policy"), " ", h("span", { class: "faint" }, it.name)),
        mode(),
        h(
          "button",
          { class: numbers().paused ? "primary" : "quiet", onclick: stop },
          t(numbers().paused ? "action.resume" : "action.pause"),
        ),
      ),
      h(
        "section",
        { class: "panel" },
        h(
          "div",
          { class: "panel-head" },
          h("h2", {}, t("policy.rules")),
          h("span", { class: "faint" }, t("policy.order")),
        ),
        it.rules.length
          ? h(
              "div",
              { class: "scroll" },
              h(
                "table",
                { class: "rules" },
                h(
                  "thead",
                  {},
                  h(
                    "tr",
                    {},
                    ["rule", "when", "then", "mode", "fired"].map((name) =>
                      h("th", { scope: "col" }, t("policy.head." + name)),
                    ),
                  ),
                ),
                h("tbody", {}, it.rules.map(rule)),
              ),
            )
          : empty(t("policy.noRules")),
      ),
      it.problems ? problems(it.problems) : null,
      h("div", { class: "columns even" }, guard(), windows()),
    ],
    wants: (entry) => /^(rule|decision)\./.test(entry.kind),
  };
}

/** Errors first, as the lint gives them; a long list says how long it is. */
function problems(found) {
  const line = (one) =>
    h(
      "li",
      {},
      mark(one.level === "error" ? "degraded" : "warning"),
      " ",
      one.rule ? h("b", {}, one.rule, " ") : null,
      one.what,
      " ",
      h("span", { class: "faint" }, one.kind),
    );
  return h(
    "section",
    { class: "panel" },
    h(
      "div",
      { class: "panel-head" },
      h("h2", {}, t("policy.lint")),
      found.length ? h("span", { class: "faint" }, number(found.length)) : null,
    ),
    found.length ? h("ul", { class: "remarks" }, found.slice(0, PROBLEMS).map(line)) : empty(t("policy.sound")),
    found.length > PROBLEMS ? h("p", { class: "faint pad" }, t("more", { count: found.length - PROBLEMS })) : null,
  );
}
