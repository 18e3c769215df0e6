// A decision: what was chosen and why, what holds it back, what else was weighed, and what a person can say.

import { part } from "./api.js";
import { decide } from "./dialog.js";
import { h } from "./dom.js";
import { actor, stand, subject } from "./signs.js";
import { t, word } from "./text.js";
import { ago, number } from "./units.js";

const OPEN_STANDS = new Set(["recommended", "asking", "held"]);

/** The buttons under a decision, and what they ask for. */
export function verdicts(decision, refresh) {
  const ask = async (name, required, danger) => {
    const about = t("ask." + name, { rung: word("rung", decision.rung), subject: decision.subject });
    if (
      await decide({
        title: t("action." + name),
        text: about,
        path: "/decisions/" + part(decision.decision) + "/" + name,
        required,
        danger,
      })
    ) {
      refresh();
    }
  };
  return {
    approve: OPEN_STANDS.has(decision.stand) ? () => ask("approve", false, false) : null,
    reject: OPEN_STANDS.has(decision.stand) ? () => ask("reject", true, false) : null,
    wrong: decision.wrong ? null : () => ask("wrong", true, true),
  };
}

/** A decision with its reason, its alternatives and what came of it. */
export function decisionCard(decision, refresh, { newest = true } = {}) {
  const can = verdicts(decision, refresh);
  return h(
    "article",
    { class: "decision " + (decision.stand === "asking" ? "asking" : ""), key: decision.decision },
    h(
      "header",
      {},
      h("span", { class: "rung" }, word("rung", decision.rung)),
      " ",
      stand(decision.stand),
      h("span", { class: "faint right" }, decision.decision, " · ", ago(decision.at)),
    ),
    h("p", { class: "reason" }, decision.reason),
    h(
      "dl",
      {},
      h("dt", {}, t("decision.subject")),
      h("dd", {}, subject(decision.subject)),
      h("dt", {}, t("decision.by")),
      h(
        "dd",
        {},
        actor(decision.actor),
        decision.rule
          ? [" · ", h("a", { href: "/policy#" + decision.rule }, t("decision.rule", { rule: decision.rule }))]
          : null,
      ),
      decision.held ? [h("dt", {}, t("decision.held")), h("dd", { class: "held" }, decision.held)] : null,
      decision.settledWhy
        ? [h("dt", {}, t("decision.settled")), h("dd", {}, actor(decision.settledBy) + ": " + decision.settledWhy)]
        : null,
      decision.wrong ? [h("dt", {}, t("decision.wrong")), h("dd", { class: "problem" }, actor(decision.wrong))] : null,
    ),
    decision.alternatives?.length ? alternatives(decision) : null,
    decision.actions?.length
      ? h(
          "ul",
          { class: "actions" },
          decision.actions.map((it) =>
            h(
              "li",
              { key: it.action },
              h("span", { class: "name" }, word("request", it.kind)),
              " → ",
              it.target,
              " ",
              it.answer
                ? h(
                    "span",
                    { class: "answer " + it.answer },
                    word("answer", it.answer),
                    it.detail && it.detail !== it.answer ? ": " + it.detail : "",
                  )
                : h("span", { class: "answer open" }, t("decision.waiting")),
            ),
          ),
        )
      : null,
    newest
      ? h(
          "div",
          { class: "buttons" },
          can.approve
            ? h("button", { class: "primary", onclick: can.approve }, t("action.approve"), h("kbd", {}, "a"))
            : null,
          can.reject ? h("button", { onclick: can.reject }, t("action.reject"), h("kbd", {}, "r")) : null,
          can.wrong ? h("button", { class: "quiet", onclick: can.wrong }, t("action.wrong"), h("kbd", {}, "w")) : null,
        )
      : null,
  );
}

/** Each possibility with a bar for what it costs, where that is known. */
function alternatives(decision) {
  const parsed = decision.alternatives.map((text) => {
    const cost = /([\d.]+) node-hours/.exec(text);
    return { text: text.replace(/: [\d.]+ node-hours$/, ""), cost: cost ? Number(cost[1]) : null };
  });
  const most = Math.max(0.001, ...parsed.map((it) => it.cost ?? 0));
  return h(
    "div",
    { class: "alternatives" },
    h("h4", {}, t("decision.alternatives")),
    parsed.map((it) =>
      h(
        "div",
        { class: "alternative " + (decision.reason.includes(it.text) ? "chosen" : "") },
        h("span", {}, decision.reason.includes(it.text) ? "✓ " : "", it.text),
        it.cost === null
          ? null
          : h(
              "span",
              { class: "cost" },
              h("i", { style: "width:calc((100% - 120px) * " + it.cost / most + ")" }),
              h("b", {}, number(it.cost, 1) + " " + t("unit.nodeHours")),
            ),
      ),
    ),
  );
}
