// How states look. Each has a colour, a shape and a word, so that none rests on colour alone; the
// colours keep their distance for every kind of colour vision.

import { h, s } from "./dom.js";
import { word } from "./text.js";

export const SEVERITIES = ["info", "warning", "degraded", "fatal"];

export function rank(severity) {
  return SEVERITIES.indexOf(severity);
}

const SHAPES = {
  none: "M3 7l2.5 3L11 4",
  info: "M7 2.5v.01M7 6v6",
  warning: "M7 2L12.6 12H1.4Z",
  degraded: "M7 1L13 7L7 13L1 7Z",
  fatal: "M2.5 2.5L11.5 11.5M11.5 2.5L2.5 11.5",
};

const FILLED = new Set(["warning", "degraded"]);

export function mark(severity) {
  const name = severity ?? "none";
  return s(
    "svg",
    { class: "mark " + name, viewBox: "0 0 14 14", width: 14, height: 14, "aria-hidden": "true" },
    s("path", { d: SHAPES[name], class: FILLED.has(name) ? "full" : "line" }),
  );
}

/** The same within a drawing, its upper left corner there. */
export function shape(severity, x, y) {
  const name = severity ?? "none";
  return s(
    "g",
    { class: "mark " + name, transform: "translate(" + x + " " + y + ")", "aria-hidden": "true" },
    s("path", { d: SHAPES[name], class: FILLED.has(name) ? "full" : "line" }),
  );
}

export function severity(name) {
  return h("span", { class: "severity " + (name ?? "none") }, mark(name), " ", word("severity", name ?? "none"));
}

export function service(name) {
  return h("span", { class: "service " + name }, word("service", name));
}

export function stand(name) {
  return h("span", { class: "stand " + name }, word("stand", name));
}

/** A subject of the protocol as a link to where it is shown. */
export function subject(text) {
  const [kind, name, ...rest] = text.split("/");
  if (kind === "node") {
    return h(
      "a",
      { href: "/nodes/" + encodeURIComponent(name), class: "name" },
      name,
      rest.length ? h("span", { class: "faint" }, " / ", rest.join("/")) : null,
    );
  }
  if (kind === "job") {
    return h(
      "a",
      { href: "/jobs/" + encodeURIComponent(name), class: "name" },
      name,
      rest.length ? h("span", { class: "faint" }, " / ", rest.join(" ")) : null,
    );
  }
  return h("span", { class: "name" }, text);
}

export function nodeLink(name) {
  return h("a", { href: "/nodes/" + encodeURIComponent(name), class: "name" }, name);
}

export function jobLink(name) {
  return h("a", { href: "/jobs/" + encodeURIComponent(name), class: "name" }, name);
}

export function incidentLink(id) {
  return h("a", { href: "/incidents/" + encodeURIComponent(id), class: "name" }, id);
}

/** Whom a decision came from, in words. */
export function actor(text) {
  return text?.startsWith("person/") ? text.slice(7) : (text ?? "");
}

/** Where nothing is to be shown: says so, and what would be here. */
export function empty(title, detail) {
  return h("div", { class: "empty" }, h("p", { class: "strong" }, title), detail ? h("p", {}, detail) : null);
}
