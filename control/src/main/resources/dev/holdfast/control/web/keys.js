// Hands never need to leave the keyboard. Keys are ignored while somebody writes.

import { h } from "./dom.js";
import { t } from "./text.js";

const GO = { o: "/", i: "/incidents", n: "/nodes", j: "/jobs", p: "/policy" };
const PATIENCE = 1200;

let pending = 0;

function writing(target) {
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.nodeName);
}

export function keyboard({ go, search, page }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    if (writing(event.target)) {
      if (event.key === "Escape") {
        event.target.blur();
      }
      return;
    }
    if (pending && event.timeStamp - pending < PATIENCE && GO[event.key]) {
      pending = 0;
      event.preventDefault();
      go(GO[event.key]);
      return;
    }
    pending = event.key === "g" ? event.timeStamp : 0;
    const own = page()?.keys?.[event.key];
    if (own) {
      event.preventDefault();
      own();
    } else if (event.key === "/") {
      event.preventDefault();
      search();
    } else if (event.key === "?") {
      help();
    } else if (event.key === "j" || event.key === "k") {
      move(event.key === "j" ? 1 : -1);
    } else if (event.key === "Escape") {
      if (document.activeElement && document.activeElement !== document.body) {
        document.activeElement.blur();
      } else if (location.pathname !== "/") {
        go(location.pathname.split("/").length > 2 ? "/" + location.pathname.split("/")[1] : "/");
      }
    }
  });
}

/** To the next or the last row of the list that is shown. */
function move(by) {
  const rows = [...document.querySelectorAll("main [data-row]")].filter((it) => it.offsetParent);
  if (rows.length === 0) {
    return;
  }
  const at = rows.indexOf(document.activeElement);
  const to = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[to].focus();
  rows[to].scrollIntoView({ block: "nearest" });
}

export function help() {
  const line = (keys, text) =>
    h(
      "tr",
      {},
      h(
        "td",
        {},
        keys.map((key) => h("kbd", {}, key)),
      ),
      h("td", {}, text),
    );
  const box = h(
    "dialog",
    { class: "help", "aria-label": t("help.title") },
    h("h2", {}, t("help.title")),
    h(
      "table",
      {},
      line(["/"], t("help.search")),
      line(["g", "o"], t("nav.overview")),
      line(["g", "i"], t("nav.incidents")),
      line(["g", "n"], t("nav.nodes")),
      line(["g", "j"], t("nav.jobs")),
      line(["g", "p"], t("nav.policy")),
      line(["j", "k"], t("help.move")),
      line(["Enter"], t("help.open")),
      line(["←", "↑", "→", "↓"], t("help.heatmap")),
      line(["a", "r", "w"], t("help.decide")),
      line(["e"], t("help.evidence")),
      line(["Esc"], t("help.back")),
      line(["?"], t("help.title")),
    ),
    h("div", { class: "buttons" }, h("button", { class: "quiet", onclick: () => box.close() }, t("dialog.close"))),
  );
  box.onclose = () => box.remove();
  document.body.append(box);
  box.showModal();
}
