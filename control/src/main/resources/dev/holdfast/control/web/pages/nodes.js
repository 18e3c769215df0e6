// Every node in one list, however many: worst first, found by typing.

import { h, widget } from "../dom.js";
import { mark, rank, service } from "../signs.js";
import { t, word } from "../text.js";
import { ago, natural, number } from "../units.js";
import { LongList } from "../virtual.js";

const SERVICES = ["", "in", "suspect", "draining", "drained", "verifying", "out"];

export function nodes({ fleet, redraw }) {
  let text = "";
  let which = "";
  const list = new LongList({ height: 30, line, label: t("nav.nodes") });

  function line(row) {
    const parts = Object.entries(row.parts).sort((a, b) => rank(b[1]) - rank(a[1]));
    return h(
      "a",
      { class: "row node", role: "row", href: "/nodes/" + encodeURIComponent(row.node), "data-row": "", key: row.node },
      h(
        "span",
        { class: "row-mark", role: "cell", title: word("severity", row.severity ?? "none") },
        mark(row.severity),
      ),
      h("span", { class: "cell-name", role: "cell" }, row.node),
      h("span", { class: "cell-service", role: "cell" }, service(row.service)),
      h(
        "span",
        { class: "cell-place faint", role: "cell" },
        [row.place.rack, row.place.leaf].filter(Boolean).join(" · "),
      ),
      h("span", { class: "cell-job", role: "cell" }, row.job ?? ""),
      h(
        "span",
        { class: "cell-parts faint", role: "cell" },
        parts
          .slice(0, 4)
          .map(([part, severity]) => (part || t("heatmap.itself")) + " " + word("severity", severity))
          .join(", "),
        parts.length > 4 ? " …" : "",
      ),
      h(
        "span",
        { class: "row-end", role: "cell" },
        row.silentSince ? [t("node.silent"), " ", ago(row.silentSince)] : "",
      ),
    );
  }

  function chosen() {
    const wanted = text.trim().toLowerCase();
    return [...fleet.rows.values()]
      .filter((row) => !which || row.service === which)
      .filter(
        (row) =>
          !wanted ||
          row.node.toLowerCase().includes(wanted) ||
          (row.job ?? "").toLowerCase().includes(wanted) ||
          Object.values(row.place).some((it) => it.toLowerCase() === wanted),
      )
      .sort(
        (a, b) =>
          rank(b.severity) - rank(a.severity) ||
          Number(b.service !== "in") - Number(a.service !== "in") ||
          natural(a.node, b.node),
      );
  }

  return {
    name: "nodes",
    title: () => t("nav.nodes"),
    load: () => fleet.load(),
    view() {
      const rows = chosen();
      queueMicrotask(() => list.show(rows));
      return [
        h(
          "div",
          { class: "page-head" },
          h("h1", {}, t("nav.nodes")),
          h("input", {
            type: "search",
            class: "filter",
            keep: "filter",
            placeholder: t("nodes.filter"),
            "aria-label": t("nodes.filter"),
            oninput: (event) => ((text = event.target.value), redraw()),
          }),
          h(
            "div",
            { class: "choice", role: "group", "aria-label": t("nodes.service") },
            SERVICES.map((it) =>
              h(
                "button",
                { "aria-pressed": String(which === it), key: it || "any", onclick: () => ((which = it), redraw()) },
                it ? word("service", it) : t("incidents.any"),
              ),
            ),
          ),
          h("span", { class: "faint" }, t("count.nodes", { count: number(rows.length) })),
        ),
        h("section", { class: "panel" }, widget(list.element)),
      ];
    },
    wants: (entry) => /^(node|finding|incident|job)\./.test(entry.kind),
    close: () => list.close(),
  };
}
