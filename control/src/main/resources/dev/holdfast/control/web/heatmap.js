// Every node (or every device) of the cluster as one cell. Cells lie in blocks that share something:
// a rack, a leaf, a job. In a block of devices a column is a node and a row a device, so a broken
// node is a vertical stroke, a broken rail a horizontal one, a broken rack a whole block.
//
// Drawn on a canvas: the cells on one layer, what follows the pointer on another, so that moving
// over ten thousand nodes draws one rectangle. Where a cell is follows from its number alone.

import { h } from "./dom.js";
import { mark, rank, SEVERITIES } from "./signs.js";
import { t, word } from "./text.js";
import { natural, number } from "./units.js";

const LARGEST = 16;
const WRAP = 32;
const GAP = 14;

export class Heatmap {
  /**
   * @param open called with a node that was chosen
   * @param height what it would like to fit into
   * @param describe says more about a node and a device of it
   */
  constructor({ open, height = 520, describe = null }) {
    this.open = open;
    this.wantedHeight = height;
    this.describe = describe;
    this.rows = new Map();
    this.names = [];
    this.mode = "node";
    this.group = "rack";
    this.marked = null;
    this.focused = null;
    this.device = -1;
    this.cells = h("canvas", { class: "cells" });
    this.over = h("canvas", {
      class: "over",
      tabindex: 0,
      role: "application",
      "aria-roledescription": t("heatmap.role"),
      "aria-label": t("heatmap.label"),
    });
    this.tip = h("div", { class: "tip", hidden: true });
    this.said = h("div", { class: "hidden", "aria-live": "polite" });
    this.element = h("div", { class: "heatmap" }, this.cells, this.over, this.tip, this.said);
    this.over.onpointermove = (event) => this.point(event);
    this.over.onpointerleave = () => this.leave();
    this.over.onclick = () => this.choose();
    this.over.onkeydown = (event) => this.key(event);
    this.over.onblur = () => this.leave();
    this.watch = new ResizeObserver(() => this.later());
    this.watch.observe(this.element);
    this.theme = () => this.later();
    addEventListener("holdfast-theme", this.theme);
  }

  close() {
    this.watch.disconnect();
    removeEventListener("holdfast-theme", this.theme);
    cancelAnimationFrame(this.frame);
  }

  /** What is to be shown now. */
  show({ rows, names, mode, group }) {
    const alike = this.drawn && names === this.names && mode === this.mode && group === this.group;
    this.rows = rows;
    this.names = names;
    this.mode = mode;
    this.group = group;
    this.over.setAttribute("aria-label", t("heatmap.label"));
    if (!alike || !this.change()) {
      this.later();
    }
  }

  /** Draws only the nodes that are otherwise now; false: one belongs elsewhere, so all must be drawn. */
  change() {
    const changed = [];
    for (const name of this.names) {
      const row = this.rows.get(name);
      const before = this.drawn.get(name);
      if (row !== before) {
        if (!before || this.title(row) !== this.title(before) || row.devices.length !== before.devices.length) {
          return false;
        }
        changed.push(row);
      }
    }
    if (changed.length > this.names.length / 4) {
      return false;
    }
    const pen = this.cells.getContext("2d");
    const brush = new Brush();
    for (const row of changed) {
      const [block, index] = this.where.get(row.node);
      const [x, y] = this.corner(block, index);
      pen.clearRect(x, y, this.size, this.tall * this.size);
      this.blocks[block][1][index] = row;
      this.drawn.set(row.node, row);
      this.node(row, x, y, brush);
    }
    this.paint(pen, brush);
    return true;
  }

  title(row) {
    return (this.group === "job" ? row.job : row.place[this.group]) ?? "–";
  }

  /** Shows which nodes are meant; null: none in particular. */
  highlight(names) {
    this.marked = names ? new Set(names) : null;
    this.drawOver();
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  /** Blocks, and how large a cell may be so that all of it fits. */
  layout(width) {
    const blocks = new Map();
    let devices = 0;
    for (const name of this.names) {
      const row = this.rows.get(name);
      const title = this.title(row);
      if (!blocks.has(title)) {
        blocks.set(title, []);
      }
      blocks.get(title).push(row);
      devices = Math.max(devices, row.devices.length);
    }
    this.blocks = [...blocks].sort((a, b) => natural(a[0], b[0]));
    const most = Math.max(1, ...this.blocks.map((it) => it[1].length));
    this.across = Math.min(WRAP, most);
    this.tall = this.mode === "device" ? devices + 1 : 1;
    this.lines = Math.ceil(most / this.across);
    for (let size = LARGEST; size >= 3; size--) {
      this.place(size, width);
      if (this.height <= this.wantedHeight || size === (this.mode === "device" ? 4 : 6)) {
        return;
      }
    }
  }

  place(size, width) {
    this.size = size;
    this.blockWidth = this.across * size + GAP;
    this.labelHeight = 13;
    this.blockHeight = this.lines * (this.tall * size + (this.mode === "device" ? 3 : 0)) + this.labelHeight + 5;
    this.perLine = Math.max(1, Math.floor((width + GAP) / this.blockWidth));
    this.height = Math.ceil(this.blocks.length / this.perLine) * this.blockHeight;
  }

  /** Upper left corner of a node. */
  corner(block, index) {
    const x = (block % this.perLine) * this.blockWidth;
    const y = Math.floor(block / this.perLine) * this.blockHeight + this.labelHeight;
    const line = Math.floor(index / this.across);
    return [
      x + (index % this.across) * this.size,
      y + line * (this.tall * this.size + (this.mode === "device" ? 3 : 0)),
    ];
  }

  draw() {
    const width = this.element.clientWidth;
    if (width === 0) {
      return;
    }
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue("--" + name).trim();
    this.colors = {
      ground: color("panel"),
      label: color("faint"),
      idle: color("cell-idle"),
      busy: color("cell-busy"),
      out: color("cell-out"),
      line: color("text"),
      accent: color("accent"),
      ink: color("cell-ink"),
      ...Object.fromEntries(SEVERITIES.map((it) => [it, color(it)])),
    };
    this.layout(width);
    const pixels = devicePixelRatio || 1;
    for (const canvas of [this.cells, this.over]) {
      canvas.width = Math.round(width * pixels);
      canvas.height = Math.round(this.height * pixels);
      canvas.style.width = width + "px";
      canvas.style.height = this.height + "px";
    }
    this.element.style.height = this.height + "px";
    const pen = this.cells.getContext("2d");
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    this.where = new Map();
    this.drawn = new Map();
    const brush = new Brush();
    pen.font = "10px system-ui, sans-serif";
    pen.fillStyle = this.colors.label;
    this.blocks.forEach(([title, rows], block) => {
      const [left, top] = this.corner(block, 0);
      pen.fillText(fit(title, this.blockWidth - GAP), left, top - 3);
      rows.forEach((row, index) => {
        this.where.set(row.node, [block, index]);
        this.drawn.set(row.node, row);
        this.node(row, ...this.corner(block, index), brush);
      });
    });
    this.paint(pen, brush);
    this.drawOver();
  }

  paint(pen, { fills, signs }) {
    for (const [fill, cells] of fills) {
      pen.fillStyle = fill;
      pen.beginPath();
      for (let i = 0; i < cells.length; i += 3) {
        pen.rect(cells[i], cells[i + 1], cells[i + 2], cells[i + 2]);
      }
      pen.fill();
    }
    for (const [kind, x, y, size] of signs) {
      this.sign(pen, kind, x, y, size);
    }
  }

  node(row, x, y, brush) {
    const size = this.size;
    const inner = size - (size > 5 ? 1.5 : 1);
    const serves = row.service === "in" || row.service === "suspect";
    const plain = serves ? (row.job ? this.colors.busy : this.colors.idle) : this.colors.out;
    const cell = (severity, top) => {
      brush.cell(severity ? this.colors[severity] : plain, x, top, inner);
      if (severity && severity !== "info" && size >= 8) {
        brush.signs.push([severity, x, top, inner]);
      }
    };
    cell(this.mode === "device" ? row.parts[""] : row.severity, y);
    if (this.mode === "device") {
      row.devices.forEach((device, at) => cell(row.parts[device], y + (at + 1) * size));
    }
    if (!serves) {
      brush.signs.push(["frame-" + row.service, x, y, inner]);
    } else if (row.service === "suspect" && !row.severity) {
      brush.signs.push(["suspect", x, y, inner]);
    }
    if (row.silentSince) {
      brush.signs.push(["silent", x, y, inner]);
    }
  }

  sign(pen, kind, x, y, size) {
    const middle = size / 2;
    pen.lineWidth = 1.4;
    pen.strokeStyle = this.colors.ink;
    pen.fillStyle = this.colors.ink;
    pen.beginPath();
    if (kind === "fatal") {
      const edge = size * 0.26;
      pen.moveTo(x + edge, y + edge);
      pen.lineTo(x + size - edge, y + size - edge);
      pen.moveTo(x + size - edge, y + edge);
      pen.lineTo(x + edge, y + size - edge);
      pen.stroke();
    } else if (kind === "degraded") {
      const r = size * 0.27;
      pen.moveTo(x + middle, y + middle - r);
      pen.lineTo(x + middle + r, y + middle);
      pen.lineTo(x + middle, y + middle + r);
      pen.lineTo(x + middle - r, y + middle);
      pen.fill();
    } else if (kind === "warning") {
      const r = size * 0.26;
      pen.moveTo(x + middle, y + middle - r);
      pen.lineTo(x + middle + r, y + middle + r);
      pen.lineTo(x + middle - r, y + middle + r);
      pen.fill();
    } else if (kind === "suspect") {
      pen.strokeStyle = this.colors.warning;
      pen.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
    } else {
      this.frameSign(pen, kind, x, y, size);
    }
  }

  /** Not in service: framed; what comes next decides how. */
  frameSign(pen, kind, x, y, size) {
    const tall = this.mode === "device" ? (this.tall - 1) * this.size + size : size;
    pen.strokeStyle = this.colors.line;
    pen.lineWidth = 1;
    if (kind === "silent") {
      pen.setLineDash([2, 2]);
      pen.strokeRect(x + 0.5, y + 0.5, size - 1, tall - 1);
      pen.setLineDash([]);
      return;
    }
    pen.strokeRect(x + 0.5, y + 0.5, size - 1, tall - 1);
    pen.fillStyle = this.colors.line;
    const dot = Math.max(2, size / 3);
    if (kind === "frame-draining") {
      pen.fillRect(x, y, size / 2, Math.max(2, size / 4));
    } else if (kind === "frame-verifying") {
      pen.fillRect(x + (size - dot) / 2, y + (size - dot) / 2, dot, dot);
    } else if (kind === "frame-out") {
      pen.beginPath();
      pen.moveTo(x, y + size);
      pen.lineTo(x + size, y);
      pen.stroke();
    }
  }

  drawOver() {
    if (!this.where) {
      return;
    }
    const pixels = devicePixelRatio || 1;
    const pen = this.over.getContext("2d");
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    pen.clearRect(0, 0, this.over.width, this.over.height);
    const tall = this.tall * this.size;
    if (this.marked) {
      pen.fillStyle = this.colors.ground;
      pen.globalAlpha = 0.6;
      pen.fillRect(0, 0, this.over.width, this.over.height);
      pen.globalAlpha = 1;
      pen.strokeStyle = this.colors.accent;
      pen.lineWidth = 1.5;
      for (const name of this.marked) {
        const at = this.where.get(name);
        if (at) {
          const [x, y] = this.corner(...at);
          pen.clearRect(x - 1, y - 1, this.size, tall);
          pen.strokeRect(x - 1, y - 1, this.size + 0.5, tall + 0.5);
        }
      }
    }
    const at = this.focused && this.where.get(this.focused);
    if (at) {
      const [x, y] = this.corner(...at);
      pen.strokeStyle = this.colors.line;
      pen.lineWidth = 1.5;
      pen.strokeRect(x - 1.5, y - 1.5, this.size + 1.5, tall + 1.5);
      if (this.mode === "device" && this.device >= 0) {
        pen.strokeStyle = this.colors.accent;
        pen.lineWidth = 2;
        pen.strokeRect(x - 1, y + this.device * this.size - 1, this.size + 0.5, this.size + 0.5);
      }
    }
  }

  /** The node at a point, and which of its cells. */
  at(x, y) {
    if (!this.where || x < 0 || y < 0) {
      return null;
    }
    const column = Math.floor(x / this.blockWidth);
    const line = Math.floor(y / this.blockHeight);
    const block = line * this.perLine + column;
    if (column >= this.perLine || block >= this.blocks.length) {
      return null;
    }
    const inX = Math.floor((x - column * this.blockWidth) / this.size);
    const inY = y - line * this.blockHeight - this.labelHeight;
    const step = this.tall * this.size + (this.mode === "device" ? 3 : 0);
    const row = Math.floor(inY / step);
    const index = row * this.across + inX;
    const node = inX < this.across && inY >= 0 ? this.blocks[block][1][index] : null;
    return node ? { row: node, device: Math.min(this.tall - 1, Math.floor((inY - row * step) / this.size)) } : null;
  }

  point(event) {
    const hit = this.at(event.offsetX, event.offsetY);
    this.over.style.cursor = hit ? "pointer" : "default";
    if (!hit) {
      this.leave();
      return;
    }
    if (hit.row.node !== this.focused || hit.device !== this.device) {
      this.focus(hit.row, hit.device);
    }
  }

  focus(row, device) {
    this.focused = row.node;
    this.device = this.mode === "device" ? device : -1;
    this.drawOver();
    const [x, y] = this.corner(...this.where.get(row.node));
    this.tip.replaceChildren(...this.words(row));
    this.tip.hidden = false;
    const left = Math.min(x + this.size + 10, this.element.clientWidth - this.tip.offsetWidth - 4);
    this.tip.style.left = Math.max(0, left) + "px";
    this.tip.style.top = y + this.tall * this.size + 8 + "px";
  }

  /** What is said about a node, from what is known already. */
  words(row) {
    const device = this.device > 0 ? row.devices[this.device - 1] : null;
    const parts = Object.entries(row.parts).sort((a, b) => rank(b[1]) - rank(a[1]));
    const more = this.describe?.(row, device);
    return [
      h("div", { class: "strong" }, row.node, device ? " / " + device : "", h("span", { class: "faint" }, "  " + word("service", row.service))),
      more ? h("div", {}, more) : null,
      row.silentSince ? h("div", {}, t("heatmap.silent")) : null,
      ...parts.slice(0, 6).map(([part, severity]) => h("div", {}, mark(severity), " " + (part || t("heatmap.itself")) + ": " + word("severity", severity))),
      parts.length > 6 ? h("div", { class: "faint" }, t("more", { count: parts.length - 6 })) : null,
      parts.length === 0 ? h("div", { class: "faint" }, t("heatmap.nothing")) : null,
      h("div", { class: "faint" }, Object.entries(row.place).map(([kind, name]) => word("place", kind) + " " + name).join(" · ")),
      row.job ? h("div", { class: "faint" }, t("heatmap.job", { job: row.job })) : null,
    ].filter(Boolean);
  }

  leave() {
    if (this.focused !== null) {
      this.focused = null;
      this.device = -1;
      this.tip.hidden = true;
      this.drawOver();
    }
  }

  choose() {
    if (this.focused) {
      this.open(this.focused);
    }
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };
    if (event.key === "Enter" && this.focused) {
      this.choose();
    } else if (event.key in steps && this.blocks?.length) {
      this.step(steps[event.key]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** From node to node; in a block of devices up and down go from device to device first. */
  step(by) {
    const from = this.focused ? this.where.get(this.focused) : null;
    let [block, index] = from ?? [0, 0];
    let device = Math.max(0, this.device);
    if (by === "first" || by === "last" || !from) {
      block = by === "last" ? this.blocks.length - 1 : 0;
      index = by === "last" ? this.blocks.at(-1)[1].length - 1 : 0;
    } else if (typeof by === "number") {
      index += by;
      if (index < 0 && block > 0) {
        block -= 1;
        index = this.blocks[block][1].length - 1;
      } else if (index >= this.blocks[block][1].length && block < this.blocks.length - 1) {
        block += 1;
        index = 0;
      }
    } else {
      const sign = by === "up" ? -1 : 1;
      device += sign;
      if (device < 0 || device >= this.tall) {
        const next = index + sign * this.across;
        if (next >= 0 && next < this.blocks[block][1].length) {
          index = next;
        } else {
          block += sign * this.perLine;
        }
        device = sign > 0 ? 0 : this.tall - 1;
      }
    }
    if (block < 0 || block >= this.blocks.length) {
      return;
    }
    const rows = this.blocks[block][1];
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    this.focus(row, device);
    this.said.textContent = row.node + ", " + word("service", row.service) + ", " + word("severity", row.severity ?? "none");
    const [, y] = this.corner(...this.where.get(row.node));
    const top = this.element.getBoundingClientRect().top + y;
    if (top < 60 || top > innerHeight - 60) {
      scrollBy({ top: top - innerHeight / 2 });
    }
  }
}

/** What is to be drawn, by colour: few changes of colour make drawing fast. */
class Brush {
  constructor() {
    this.fills = new Map();
    this.signs = [];
  }

  cell(fill, x, y, size) {
    const cells = this.fills.get(fill);
    if (cells) {
      cells.push(x, y, size);
    } else {
      this.fills.set(fill, [x, y, size]);
    }
  }
}

function fit(text, width) {
  const most = Math.max(2, Math.floor(width / 5.6));
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}

/** What colours and shapes mean, with how many there are of each. */
export function legend(rows) {
  const counts = { fatal: 0, degraded: 0, warning: 0, info: 0, none: 0 };
  const services = {};
  let silent = 0;
  for (const row of rows.values()) {
    counts[row.severity ?? "none"] += 1;
    services[row.service] = (services[row.service] ?? 0) + 1;
    silent += row.silentSince ? 1 : 0;
  }
  return h(
    "div",
    { class: "legend" },
    ["fatal", "degraded", "warning", "info"].map((it) => h("span", { class: counts[it] ? "" : "faint" }, h("i", { class: "swatch " + it }, mark(it)), word("severity", it), " ", h("b", {}, number(counts[it])))),
    h("span", {}, h("i", { class: "swatch busy" }), t("legend.busy")),
    h("span", {}, h("i", { class: "swatch idle" }), t("legend.idle")),
    ["draining", "drained", "verifying", "out"].filter((it) => services[it]).map((it) => h("span", {}, h("i", { class: "swatch framed " + it }), word("service", it), " ", h("b", {}, number(services[it])))),
    silent ? h("span", {}, h("i", { class: "swatch silent" }), t("legend.silent"), " ", h("b", {}, number(silent))) : null,
  );
}
