// A finding: what it rests on, what it means, what to do.

import { h } from "./dom.js";
import { mark, severity, subject } from "./signs.js";
import { t, word } from "./text.js";
import { ago, number } from "./units.js";

/** In a line; opened, all of it. */
export function findingCard(it, open = false) {
  return h(
    "details",
    {
      class: "finding",
      key: it.check + " " + it.subject,
      open,
      "data-part": it.subject.split("/").slice(2).join("/"),
      "data-holds": String(it.holds),
    },
    h(
      "summary",
      { "data-row": "" },
      mark(it.severity),
      h("span", { class: "row-title" }, it.summary),
      h("span", { class: "faint" }, it.check, " · ", it.subject.split("/").slice(1).join("/")),
      it.times > 1 ? h("span", { class: "faint" }, "× " + number(it.times)) : null,
      h(
        "span",
        { class: "right" },
        it.cleared
          ? h("span", { class: "stand done" }, t("finding.cleared"))
          : it.holds
            ? h("span", { class: "stand acting" }, t("finding.holds"))
            : h("span", { class: "stand" }, t("finding.event")),
        " ",
        ago(it.last),
      ),
    ),
    h(
      "div",
      { class: "finding-body" },
      h("p", {}, it.meaning),
      h("p", {}, h("b", {}, t("finding.remedy") + " "), it.remedy),
      h(
        "table",
        { class: "evidence" },
        it.evidence.map((line) => h("tr", {}, h("th", {}, line.source), h("td", {}, h("code", {}, line.value)))),
      ),
      h(
        "p",
        { class: "faint" },
        severity(it.severity),
        " · ",
        word("class", it.class),
        " · ",
        t("proof." + (it.rowProof || it.proof)),
        " · ",
        subject(it.subject),
        " · ",
        t("finding.first"),
        " ",
        ago(it.first),
      ),
    ),
  );
}
