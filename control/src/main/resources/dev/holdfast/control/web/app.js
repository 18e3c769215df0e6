// The frame around every page: where one is, whether one is connected, and what stops all acting.

import { get } from "./api.js";
import { decide } from "./dialog.js";
import { h, patch } from "./dom.js";
import { Fleet } from "./fleet.js";
import { help, keyboard } from "./keys.js";
import { connection, follow, listen } from "./live.js";
import { actor } from "./signs.js";
import { arrived, keep } from "./token.js";
import { speak, spoken, t } from "./text.js";
import { identify, looksOnly, name as whose, recognise, role, stranger } from "./who.js";
import { age, ago, since, synchronise } from "./units.js";
import { incident } from "./pages/incident.js";
import { incidents } from "./pages/incidents.js";
import { job } from "./pages/job.js";
import { jobs } from "./pages/jobs.js";
import { node } from "./pages/node.js";
import { nodes } from "./pages/nodes.js";
import { overview } from "./pages/overview.js";
import { policy } from "./pages/policy.js";
import { search } from "./pages/search.js";

const ROUTES = [
  [/^\/$/, overview],
  [/^\/incidents$/, incidents],
  [/^\/incidents\/([^/]+)$/, incident],
  [/^\/nodes$/, nodes],
  [/^\/nodes\/([^/]+)$/, node],
  [/^\/jobs$/, jobs],
  [/^\/jobs\/([^/]+)$/, job],
  [/^\/policy$/, policy],
  [/^\/search$/, search],
];
const NAV = [
  ["overview", "/"],
  ["incidents", "/incidents"],
  ["nodes", "/nodes"],
  ["jobs", "/jobs"],
  ["policy", "/policy"],
];
const PACE = 250;

const fleet = new Fleet();
const context = { fleet, go, refresh, redraw, numbers: () => summary };
const head = h("header", {});
const banners = h("div", { class: "banners" });
const main = h("main", { tabindex: -1 });

let page = null;
let summary = null;
let problem = null;
let loading = null;
let again = false;
let stale = false;
let last = 0;

function go(path) {
  if (path !== location.pathname + location.search) {
    history.pushState(null, "", path);
  }
  arrive();
}

function arrive() {
  if (arrived()) {
    recognise().then(redraw, () => {});
  }
  const found = ROUTES.map(([pattern, make]) => [pattern.exec(location.pathname), make]).find(([match]) => match);
  page?.close?.();
  problem = null;
  page = found ? found[1](context, ...found[0].slice(1).map(decodeURIComponent)) : nowhere();
  page.loaded = false;
  main.className = page.name;
  patch(main, h("div", { class: "waiting", role: "status" }, t("loading")));
  scrollTo(0, 0);
  frame();
  refresh();
}

function nowhere() {
  return {
    name: "nowhere",
    title: () => t("error.nowhere"),
    load: async () => {},
    view: () => trouble(t("error.nowhere"), t("error.nowhereText")),
    wants: () => false,
  };
}

/** Loads what the page shows; never twice at once, never more often than four times a second. */
async function refresh() {
  if (loading) {
    again = true;
    return loading;
  }
  const wait = last + PACE - performance.now();
  if (wait > 0) {
    await new Promise((wake) => setTimeout(wake, wait));
    if (loading) {
      return loading;
    }
  }
  loading = load();
  await loading;
  loading = null;
  last = performance.now();
  if (again) {
    again = false;
    refresh();
  }
}

async function load() {
  const mine = page;
  try {
    const [numbers] = await Promise.all([get("/overview"), mine.load()]);
    summary = numbers;
    synchronise(numbers.time);
    problem = null;
    mine.loaded = true;
  } catch (failed) {
    problem = failed;
    if (!(failed.status >= 0)) {
      console.error(failed);
    }
  }
  if (mine === page) {
    redraw();
  }
}

function redraw() {
  frame();
  if (problem && !page.loaded) {
    patch(main, failure(problem));
  } else if (page.loaded) {
    patch(main, page.view());
  }
}

function failure(failed) {
  if (failed.status === 404) {
    return trouble(t("error.gone"), failed.message);
  }
  if (failed.status === 401 || failed.status === 429) {
    return stranger(() => {
      redraw();
      refresh();
    });
  }
  if (failed.status === 403) {
    return trouble(t("error.forbidden"), failed.message);
  }
  const text = failed.status === 0 ? t("error." + failed.message) : failed.message;
  return trouble(t("error.failed"), text, h("button", { class: "primary", onclick: refresh }, t("error.again")));
}

function trouble(title, text, ...more) {
  return h("div", { class: "trouble", role: "alert" }, h("h1", {}, title), h("p", {}, text), more);
}

function frame() {
  const here = location.pathname;
  document.title = (page?.title?.() ?? "") + " · Holdfast";
  patch(
    head,
    h("a", { class: "brand", href: "/" }, "Holdfast"),
    h(
      "nav",
      { "aria-label": t("nav.label") },
      NAV.map(([name, path]) => {
        const current = path === "/" ? here === "/" : here.startsWith(path);
        const count = name === "incidents" ? summary?.openIncidents : 0;
        return h(
          "a",
          { href: path, "aria-current": current ? "page" : null, key: name },
          t("nav." + name),
          count ? h("span", { class: "count" }, count) : null,
        );
      }),
    ),
    h(
      "form",
      { role: "search", keep: "search-" + spoken(), onsubmit: look },
      h("input", {
        type: "search",
        id: "search",
        name: "q",
        placeholder: t("search.placeholder"),
        "aria-label": t("nav.search"),
        autocomplete: "off",
      }),
    ),
    h(
      "span",
      { class: "link " + (connection.up ? "up" : "down"), role: "status" },
      h("i", { "aria-hidden": "true" }),
      connection.up ? t("live.up") : t(connection.everUp ? "live.down" : "live.connecting"),
    ),
    seat(),
    h(
      "button",
      {
        class: "quiet",
        onclick: language,
        "aria-label": t("button.language"),
        title: spoken() === "en" ? "中文" : "English",
      },
      spoken() === "en" ? "ZH" : "EN",
    ),
    h(
      "button",
      { class: "quiet", onclick: theme, "aria-label": t("button.theme"), title: t("button.theme") },
      document.documentElement.dataset.theme === "dark" ? "☾" : "☀",
    ),
    h("button", { class: "quiet", onclick: help, "aria-label": t("help.title"), title: t("help.title") }, "?"),
  );
  patch(banners, warnings());
}

/** Who sits here; where one may only look, the way to act. */
function seat() {
  if (looksOnly()) {
    return h(
      "button",
      { class: "quiet seat", key: "seat", onclick: () => identify().then(redraw), title: t("token.lookText") },
      t("token.look"),
    );
  }
  return whose()
    ? h(
        "button",
        { class: "quiet seat", key: "seat", onclick: leave, title: t("token.leave", { role: t("role." + role()) }) },
        whose(),
      )
    : null;
}

async function leave() {
  if (confirm(t("token.leaveAsk"))) {
    keep("");
    await recognise();
    refresh();
  }
}

function look(event) {
  event.preventDefault();
  const text = new FormData(event.target).get("q").trim();
  if (text) {
    go("/search?q=" + encodeURIComponent(text));
  }
}

/** What everybody must know before reading on. */
function warnings() {
  const found = [];
  if (!connection.up && connection.everUp) {
    found.push(
      h(
        "div",
        { class: "banner lost", role: "alert", key: "lost" },
        h(
          "span",
          {},
          h("b", {}, t("banner.lost")),
          " ",
          t("banner.lostText"),
          " ",
          ago(connection.since.toISOString()),
        ),
      ),
    );
  }
  if (summary?.paused) {
    const { actor: who, why, since: when } = summary.paused;
    found.push(
      h(
        "div",
        { class: "banner paused", key: "paused" },
        h(
          "span",
          {},
          h("b", {}, t("banner.paused")),
          " ",
          t("banner.by", { who: actor(who), why }),
          " · ",
          since(when),
        ),
        h("button", { onclick: () => ask("resume", "/resume") }, t("action.resume")),
      ),
    );
  }
  if (summary?.tripped) {
    found.push(
      h(
        "div",
        { class: "banner tripped", role: "alert", key: "tripped" },
        h("span", {}, h("b", {}, t("banner.tripped")), " ", summary.tripped.why, " · ", since(summary.tripped.since)),
        h("button", { onclick: () => ask("reset", "/guard/reset") }, t("action.reset")),
      ),
    );
  }
  if (summary?.reportsLost) {
    found.push(h("div", { class: "banner", key: "reports" }, t("banner.reports", { count: summary.reportsLost })));
  }
  return found;
}

async function ask(name, path) {
  if (await decide({ title: t("action." + name), text: t("ask." + name), path })) {
    refresh();
  }
}

function language() {
  speak(spoken() === "en" ? "zh" : "en");
  redraw();
}

function theme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("holdfast.theme", root.dataset.theme);
  } catch {
    // Then only until the page is left.
  }
  dispatchEvent(new Event("holdfast-theme"));
  redraw();
}

document.body.append(h("a", { class: "skip", href: "#main" }, t("nav.skip")), head, banners, main);
main.id = "main";

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']");
  if (
    link &&
    event.button === 0 &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.shiftKey &&
    !link.hasAttribute("download")
  ) {
    event.preventDefault();
    go(link.getAttribute("href"));
  }
});
addEventListener("popstate", arrive);
keyboard({ go, search: () => document.getElementById("search").focus(), page: () => page });
listen((event) => {
  if (event.kind === "connection") {
    frame();
  } else if (event.kind === "reload") {
    fleet.all = true;
    refresh();
  } else {
    fleet.touch(event.entries);
    if (document.hidden) {
      stale = true;
      return;
    }
    const frameToo = event.entries.some((it) => it.kind.startsWith("rule.") || it.kind.startsWith("incident."));
    if (frameToo || event.entries.some((it) => page.wants(it))) {
      refresh();
    }
  }
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && stale) {
    stale = false;
    refresh();
  }
});
setInterval(age, 1000);
recognise().then(frame, () => {});
arrive();
follow();
