// Where a word stands.

import { get, part } from "../api.js";
import { h } from "../dom.js";
import { empty, mark, service, subject } from "../signs.js";
import { t, word } from "../text.js";
import { ago, number } from "../units.js";
import { incidentRow } from "./incidents.js";
import { goodputBar } from "./jobs.js";

export function search() {
  const text = new URLSearchParams(location.search).get("q") ?? "";
  let found = null;

  function group(name, items, line) {
    return items.length
      ? h(
          "section",
          { class: "panel", key: name },
          h(
            "div",
            { class: "panel-head" },
            h("h2", {}, t("nav." + name)),
            h(
              "span",
              { class: "faint" },
              items.length >= found.most ? t("search.first", { count: found.most }) : number(items.length),
            ),
          ),
          h("div", { class: "rows" }, items.map(line)),
        )
      : null;
  }

  const nodeRow = (it) =>
    h(
      "a",
      { class: "row", href: "/nodes/" + part(it.node), "data-row": "", key: it.node },
      h("span", { class: "row-mark" }, mark(it.severity)),
      h(
        "span",
        { class: "row-text" },
        h("span", { class: "row-title" }, it.node),
        h(
          "span",
          { class: "row-detail" },
          h("span", {}, Object.values(it.place ?? {}).join(" · ")),
          h("span", {}, it.job ?? ""),
        ),
      ),
      h("span", { class: "row-end" }, service(it.service)),
    );

  const findingRow = (it) =>
    h(
      "div",
      { class: "row", key: it.check + it.subject },
      h("span", { class: "row-mark" }, mark(it.severity)),
      h(
        "span",
        { class: "row-text" },
        h("span", { class: "row-title" }, it.summary),
        h(
          "span",
          { class: "row-detail" },
          h("span", {}, it.check),
          subject(it.subject),
          it.incident ? h("a", { href: "/incidents/" + part(it.incident) }, it.incident) : null,
        ),
      ),
      h(
        "span",
        { class: "row-end" },
        h("span", { class: "faint" }, word("finding", it.cleared ? "cleared" : it.holds ? "holds" : "event")),
        ago(it.last),
      ),
    );

  return {
    name: "search",
    title: () => t("search.title", { text }),
    async load() {
      found = await get("/search?q=" + part(text));
    },
    view() {
      const groups = [
        group("incidents", found.incidents, (it) => incidentRow(it)),
        group("nodes", found.nodes, nodeRow),
        group("jobs", found.jobs, goodputBar),
        group("findings", found.findings, findingRow),
      ].filter(Boolean);
      return [
        h("div", { class: "page-head" }, h("h1", {}, t("search.title", { text }))),
        groups.length
          ? groups
          : h("section", { class: "panel" }, empty(t("search.nothing", { text }), t("search.hint"))),
      ];
    },
    wants: () => false,
  };
}
