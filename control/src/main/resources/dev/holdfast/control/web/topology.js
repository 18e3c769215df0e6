// A node as it is built: devices under the PCIe switch they share, network cards with their rail.
// What is broken has its sign, its colour and a torn line, and leads to what was found.

import { h, s } from "./dom.js";
import { empty, rank, shape } from "./signs.js";
import { t, word } from "./text.js";
import { natural, number } from "./units.js";

const WIDEST = 892;
const CELL = 104;
const GAP = 8;
const BOX = 38;
const FIRST = ["gpu", "npu", "nic"];

/** What is worst of each part, and how much holds there. */
function wounds(findings) {
  const parts = new Map();
  for (const it of findings.filter((one) => one.holds)) {
    const name = it.subject.split("/").slice(2).join("/");
    const known = parts.get(name);
    const worse = !known || rank(it.severity) > rank(known.severity);
    parts.set(name, {
      severity: worse ? it.severity : known.severity,
      check: worse ? it.check : known.check,
      texts: [...(known?.texts ?? []), it.summary],
    });
  }
  return parts;
}

const nameOf = (device) => device.kind + "/" + device.name;

/** As people call it: a number needs its kind, a port that is the only one no number. */
const spokenName = ({ kind, name }) => (/^\d/.test(name) ? kind + " " + name : name.replace(/\/1$/, ""));

function kindOrder(a, b) {
  const at = (kind) => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
  return at(a) - at(b) || a.localeCompare(b);
}

/** Devices by the switch they share; a column holds what shares a rail. */
function groups(devices) {
  const found = new Map();
  for (const device of devices) {
    const name = device.pciSwitch ?? "";
    found.set(name, [...(found.get(name) ?? []), device]);
  }
  return [...found]
    .sort((a, b) => natural(a[0], b[0]))
    .map(([name, members]) => {
      const kinds = [...new Set(members.map((it) => it.kind))].sort(kindOrder);
      const rows = kinds.flatMap((kind) => lines(members.filter((it) => it.kind === kind)));
      return { name, members, rows, columns: Math.max(...rows.map((it) => it.length)) };
    });
}

/** Eight at most in a line. */
function lines(devices) {
  const sorted = [...devices].sort((a, b) => natural(a.rail ?? "", b.rail ?? "") || natural(a.name, b.name));
  const found = [];
  for (let at = 0; at < sorted.length; at += 8) {
    found.push(sorted.slice(at, at + 8));
  }
  return found;
}

/** Puts the groups side by side, as many as fit. */
function layout(all) {
  let x = 0;
  let line = 0;
  const tall = [];
  for (const group of all) {
    const width = group.columns * CELL + GAP;
    if (x > 0 && x + width > WIDEST) {
      x = 0;
      line += 1;
    }
    Object.assign(group, { x, line, width });
    tall[line] = Math.max(tall[line] ?? 0, group.rows.length);
    x += width + GAP;
  }
  return tall;
}

function fit(text, width, letter = 6.4) {
  const most = Math.floor(width / letter);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

/** Opens what was found there and brings it into view. */
function show(part) {
  const found = [...document.querySelectorAll("details.finding")].find(
    (it) => it.dataset.part === part && it.dataset.holds === "true",
  );
  if (found) {
    found.open = true;
    found.scrollIntoView({ block: "center" });
    found.querySelector("summary").focus();
  }
}

/** What leads to its finding, by pointer and by key. */
function leading(part, wound) {
  return wound
    ? {
        tabindex: 0,
        role: "button",
        onclick: () => show(part),
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            show(part);
          }
        },
      }
    : {};
}

function box(device, x, y, wound) {
  const name = nameOf(device);
  const state = wound?.severity ?? "well";
  const text = [
    device.kind + " " + device.name,
    device.product,
    device.rail,
    word("severity", wound?.severity ?? "none"),
    ...(wound?.texts ?? []),
  ]
    .filter(Boolean)
    .join(" · ");
  return s(
    "g",
    { class: "part " + state, transform: "translate(" + x + " " + y + ")", "aria-label": text, ...leading(name, wound) },
    s("title", {}, text),
    s("rect", { width: CELL - 12, height: BOX, rx: 4 }),
    shape(wound?.severity, 6, 6),
    s("text", { x: 24, y: 16, class: "part-name" }, fit(spokenName(device), CELL - 36)),
    s("text", { x: 7, y: 31, class: "part-detail" }, fit(wound ? wound.check : device.product || word("severity", "none"), CELL - 22, 6)),
  );
}

/** A group: the switch, a lane down each column, and the boxes on it. */
function drawn(group, top, wounded, rails) {
  const bad = group.members.filter((it) => wounded.has(nameOf(it)));
  const parts = [];
  const lowest = top + 26;
  group.rows.forEach((row, line) => {
    const y = lowest + 14 + line * (BOX + 12);
    row.forEach((device, column) => {
      const x = group.x + GAP / 2 + column * CELL;
      const wound = wounded.get(nameOf(device));
      const state = wound?.severity ?? "";
      const above = line === 0 ? lowest : y - 12 - BOX / 2;
      parts.push(
        s("path", { class: "lane " + state, d: "M" + (x + 4) + " " + above + "V" + (y + BOX / 2) + "H" + (x + 10) }),
        box(device, x + 10, y, wound),
      );
    });
  });
  if (rails) {
    const y = lowest + 14 + group.rows.length * (BOX + 12);
    const last = group.rows.at(-1);
    last.forEach((device, column) => {
      if (device.rail) {
        const state = wounded.get(nameOf(device))?.severity ?? "";
        const middle = group.x + GAP / 2 + column * CELL + 10 + (CELL - 12) / 2;
        parts.push(
          s("path", { class: "lane " + state, d: "M" + middle + " " + (y - 12) + "V" + (y + 2) }),
          s("text", { class: "rail " + state, x: middle, y: y + 14, "text-anchor": "middle" }, fit(device.rail, CELL - 14)),
        );
      }
    });
  }
  return s(
    "g",
    { class: "pci-switch" + (bad.length > 1 ? " " + worstOf(bad, wounded) : "") },
    s("rect", { x: group.x, y: top, width: group.width, height: 26, rx: 4 }),
    s("text", { x: group.x + 10, y: top + 17, class: "part-name" }, group.name || t("node.direct")),
    bad.length
      ? s(
          "text",
          { x: group.x + group.width - 8, y: top + 17, "text-anchor": "end", class: "part-detail" },
          t("topology.broken", { count: number(bad.length), all: number(group.members.length) }),
        )
      : null,
    parts,
  );
}

function worstOf(devices, wounded) {
  return devices
    .map((it) => wounded.get(nameOf(it)).severity)
    .sort((a, b) => rank(b) - rank(a))[0];
}

export function topology(it) {
  const devices = it.description?.devices ?? [];
  if (devices.length === 0) {
    return empty(t("node.noDevices"), t("node.noDevicesText"));
  }
  const wounded = wounds(it.findingList);
  const all = groups(devices);
  const tall = layout(all);
  const rails = devices.some((device) => device.rail);
  const lineHeight = (rows) => 26 + 14 + rows * (BOX + 12) + (rails ? 22 : 0) + 12;
  const tops = tall.map((_, line) => 52 + tall.slice(0, line).reduce((sum, rows) => sum + lineHeight(rows), 0));
  const width = Math.max(...all.map((group) => group.x + group.width));
  const height = tops.at(-1) + lineHeight(tall.at(-1)) - 12;
  const known = new Set(devices.map(nameOf));
  const elsewhere = [...wounded].filter(([name]) => name && !known.has(name));
  const itself = wounded.get("");
  const versions = Object.entries(it.description.versions ?? {})
    .map(([kind, version]) => kind + " " + version)
    .join(" · ");
  return h(
    "div",
    { class: "inside" },
    s(
      "svg",
      {
        class: "topology",
        viewBox: "0 0 " + width + " " + height,
        width,
        style: "max-width:100%;height:auto",
        role: "group",
        "aria-label": t("topology.label", { node: it.node, count: number(wounded.size) }),
      },
      all.map((group) =>
        s("path", {
          class: "lane trunk",
          d: "M" + (group.x + group.width / 2) + " " + (group.line ? tops[group.line] - 10 : 34) + "V" + tops[group.line],
        }),
      ),
      s(
        "g",
        { class: "host " + (itself?.severity ?? "") + (it.silentSince ? " silent" : ""), ...leading("", itself) },
        s("title", {}, [it.node, ...(itself?.texts ?? [])].join(" · ")),
        s("rect", { width, height: 34, rx: 5 }),
        itself ? shape(itself.severity, 10, 10) : null,
        s("text", { x: itself ? 30 : 12, y: 22, class: "part-name" }, it.node),
        s("text", { x: width - 12, y: 22, "text-anchor": "end", class: "part-detail" }, versions),
      ),
      all.map((group) => drawn(group, tops[group.line], wounded, rails)),
    ),
    elsewhere.length
      ? h(
          "div",
          { class: "chips" },
          h("small", {}, t("topology.elsewhere")),
          elsewhere.map(([name, wound]) =>
            h(
              "button",
              { class: "chip " + wound.severity, title: wound.texts.join(" · "), onclick: () => show(name), key: name },
              s("svg", { width: 14, height: 14, class: "part " + wound.severity }, shape(wound.severity, 0, 0)),
              h("b", {}, name),
              h("small", {}, wound.check),
            ),
          ),
        )
      : null,
  );
}
