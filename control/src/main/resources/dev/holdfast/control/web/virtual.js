// A long list of equal rows of which only those in sight exist.

import { h, patch } from "./dom.js";

const BEYOND = 12;

export class LongList {
  /** @param line makes the content of a row of an item */
  constructor({ height, line, label }) {
    this.rowHeight = height;
    this.line = line;
    this.items = [];
    this.inner = h("div", { class: "long-inner", role: "rowgroup" });
    this.element = h("div", { class: "long", tabindex: -1, role: "table", "aria-label": label }, this.inner);
    this.element.onscroll = () => this.later();
    this.watch = new ResizeObserver(() => this.later());
    this.watch.observe(this.element);
  }

  close() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
  }

  show(items) {
    this.items = items;
    this.element.setAttribute("aria-rowcount", items.length);
    this.draw();
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const from = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - BEYOND);
    const until = Math.min(
      this.items.length,
      from + Math.ceil(this.element.clientHeight / this.rowHeight) + 2 * BEYOND,
    );
    this.inner.style.height = this.items.length * this.rowHeight + "px";
    patch(
      this.inner,
      this.items.slice(from, until).map((item, index) => {
        const row = this.line(item);
        row.classList.add("long-row");
        row.style.top = (from + index) * this.rowHeight + "px";
        row.style.height = this.rowHeight + "px";
        row.setAttribute("aria-rowindex", from + index + 1);
        return row;
      }),
    );
  }
}
