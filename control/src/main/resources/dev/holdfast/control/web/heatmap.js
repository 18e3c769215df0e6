// Every node (or every device) of the cluster as one cell, to point at, to walk over by keys, to open.
// What follows the pointer is on a layer of its own, so that moving draws one rectangle.

import { Cells } from "./cells.js";
import { h } from "./dom.js";
import { mark, rank } from "./signs.js";
import { t, word } from "./text.js";
import { number } from "./units.js";

export class Heatmap {
  /**
   * @param open called with a node that was chosen
   * @param height what it would like to fit into
   * @param describe says more about a node and a device of it
   */
  constructor({ open, height = 520, describe = null }) {
    this.open = open;
    this.describe = describe;
    this.marked = null;
    this.focused = null;
    this.device = -1;
    const canvas = h("canvas", { class: "cells" });
    this.over = h("canvas", {
      class: "over",
      tabindex: 0,
      role: "application",
      "aria-roledescription": t("heatmap.role"),
      "aria-label": t("heatmap.label"),
    });
    this.cells = new Cells([canvas, this.over], height);
    this.tip = h("div", { class: "tip", hidden: true });
    this.said = h("div", { class: "hidden", "aria-live": "polite" });
    this.element = h("div", { class: "heatmap" }, canvas, this.over, this.tip, this.said);
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
  show(what) {
    this.over.setAttribute("aria-label", t("heatmap.label"));
    if (!this.cells.take(what)) {
      this.later();
    }
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

  draw() {
    const width = this.element.clientWidth;
    if (width > 0) {
      this.cells.draw(width);
      this.element.style.height = this.cells.height + "px";
      this.drawOver();
    }
  }

  drawOver() {
    if (!this.cells.where) {
      return;
    }
    const pixels = devicePixelRatio || 1;
    const pen = this.over.getContext("2d");
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    pen.clearRect(0, 0, this.over.width, this.over.height);
    const tall = this.cells.tall * this.cells.size;
    if (this.marked) {
      pen.fillStyle = this.cells.colors.ground;
      pen.globalAlpha = 0.6;
      pen.fillRect(0, 0, this.over.width, this.over.height);
      pen.globalAlpha = 1;
      pen.strokeStyle = this.cells.colors.accent;
      pen.lineWidth = 1.5;
      for (const name of this.marked) {
        const at = this.cells.where.get(name);
        if (at) {
          const [x, y] = this.cells.corner(...at);
          pen.clearRect(x - 1, y - 1, this.cells.size, tall);
          pen.strokeRect(x - 1, y - 1, this.cells.size + 0.5, tall + 0.5);
        }
      }
    }
    const at = this.focused && this.cells.where.get(this.focused);
    if (at) {
      const [x, y] = this.cells.corner(...at);
      pen.strokeStyle = this.cells.colors.line;
      pen.lineWidth = 1.5;
      pen.strokeRect(x - 1.5, y - 1.5, this.cells.size + 1.5, tall + 1.5);
      if (this.cells.mode === "device" && this.device >= 0) {
        pen.strokeStyle = this.cells.colors.accent;
        pen.lineWidth = 2;
        pen.strokeRect(x - 1, y + this.device * this.cells.size - 1, this.cells.size + 0.5, this.cells.size + 0.5);
      }
    }
  }

  point(event) {
    const hit = this.cells.at(event.offsetX, event.offsetY);
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
    this.device = this.cells.mode === "device" ? device : -1;
    this.drawOver();
    const [x, y] = this.cells.corner(...this.cells.where.get(row.node));
    this.tip.replaceChildren(...this.words(row));
    this.tip.hidden = false;
    const left = Math.min(x + this.cells.size + 10, this.element.clientWidth - this.tip.offsetWidth - 4);
    this.tip.style.left = Math.max(0, left) + "px";
    this.tip.style.top = y + this.cells.tall * this.cells.size + 8 + "px";
  }

  /** What is said about a node, from what is known already. */
  words(row) {
    const device = this.device > 0 ? row.devices[this.device - 1] : null;
    const parts = Object.entries(row.parts).sort((a, b) => rank(b[1]) - rank(a[1]));
    const more = this.describe?.(row, device);
    return [
      h(
        "div",
        { class: "strong" },
        row.node,
        device ? " / " + device : "",
        h("span", { class: "faint" }, "  " + word("service", row.service)),
      ),
      more ? h("div", {}, more) : null,
      row.silentSince ? h("div", {}, t("heatmap.silent")) : null,
      ...parts
        .slice(0, 6)
        .map(([part, severity]) =>
          h("div", {}, mark(severity), " " + (part || t("heatmap.itself")) + ": " + word("severity", severity)),
        ),
      parts.length > 6 ? h("div", { class: "faint" }, t("more", { count: parts.length - 6 })) : null,
      parts.length === 0 ? h("div", { class: "faint" }, t("heatmap.nothing")) : null,
      h(
        "div",
        { class: "faint" },
        Object.entries(row.place)
          .map(([kind, name]) => word("place", kind) + " " + name)
          .join(" · "),
      ),
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
    } else if (event.key in steps && this.cells.blocks?.length) {
      this.step(steps[event.key]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** From node to node; in a block of devices up and down go from device to device first. */
  step(by) {
    const from = this.focused ? this.cells.where.get(this.focused) : null;
    let [block, index] = from ?? [0, 0];
    let device = Math.max(0, this.device);
    if (by === "first" || by === "last" || !from) {
      block = by === "last" ? this.cells.blocks.length - 1 : 0;
      index = by === "last" ? this.cells.blocks.at(-1)[1].length - 1 : 0;
    } else if (typeof by === "number") {
      index += by;
      if (index < 0 && block > 0) {
        block -= 1;
        index = this.cells.blocks[block][1].length - 1;
      } else if (index >= this.cells.blocks[block][1].length && block < this.cells.blocks.length - 1) {
        block += 1;
        index = 0;
      }
    } else {
      const sign = by === "up" ? -1 : 1;
      device += sign;
      if (device < 0 || device >= this.cells.tall) {
        const next = index + sign * this.cells.across;
        if (next >= 0 && next < this.cells.blocks[block][1].length) {
          index = next;
        } else {
          block += sign * this.cells.perLine;
        }
        device = sign > 0 ? 0 : this.cells.tall - 1;
      }
    }
    if (block < 0 || block >= this.cells.blocks.length) {
      return;
    }
    const rows = this.cells.blocks[block][1];
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    this.focus(row, device);
    this.said.textContent =
      row.node + ", " + word("service", row.service) + ", " + word("severity", row.severity ?? "none");
    const [, y] = this.cells.corner(...this.cells.where.get(row.node));
    const top = this.element.getBoundingClientRect().top + y;
    if (top < 60 || top > innerHeight - 60) {
      scrollBy({ top: top - innerHeight / 2 });
    }
  }
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
    ["fatal", "degraded", "warning", "info"].map((it) =>
      h(
        "span",
        { class: counts[it] ? "" : "faint" },
        h("i", { class: "swatch " + it }, mark(it)),
        word("severity", it),
        " ",
        h("b", {}, number(counts[it])),
      ),
    ),
    h("span", {}, h("i", { class: "swatch busy" }), t("legend.busy")),
    h("span", {}, h("i", { class: "swatch idle" }), t("legend.idle")),
    ["draining", "drained", "verifying", "out"]
      .filter((it) => services[it])
      .map((it) =>
        h(
          "span",
          {},
          h("i", { class: "swatch framed " + it }),
          word("service", it),
          " ",
          h("b", {}, number(services[it])),
        ),
      ),
    silent
      ? h("span", {}, h("i", { class: "swatch silent" }), t("legend.silent"), " ", h("b", {}, number(silent)))
      : null,
  );
}
