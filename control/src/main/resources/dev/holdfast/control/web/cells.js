// The cells of the heatmap: where each lies and how it looks.
//
// Cells lie in blocks that share something: a rack, a leaf, a job. In a block of devices a column is a
// node and a row a device, so a broken node is a vertical stroke, a broken rail a horizontal one, a
// broken rack a whole block. Where a cell is follows from its number alone, and what did not change is
// not drawn again: ten thousand nodes stay quick.

import { SEVERITIES } from "./signs.js";
import { natural } from "./units.js";

const LARGEST = 16;
const WRAP = 32;
const GAP = 14;

export class Cells {
  /**
   * @param layers canvases of the same size, the cells are drawn on the first
   * @param height what it would like to fit into
   */
  constructor(layers, height) {
    this.layers = layers;
    this.wantedHeight = height;
    this.rows = new Map();
    this.names = [];
    this.mode = "node";
    this.group = "rack";
  }

  /** What is to be shown now; false: it must be drawn anew, because things lie elsewhere. */
  take({ rows, names, mode, group }) {
    const alike = this.drawn && names === this.names && mode === this.mode && group === this.group;
    this.rows = rows;
    this.names = names;
    this.mode = mode;
    this.group = group;
    return Boolean(alike) && this.change();
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
    const pen = this.layers[0].getContext("2d");
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

  draw(width) {
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
    for (const canvas of this.layers) {
      canvas.width = Math.round(width * pixels);
      canvas.height = Math.round(this.height * pixels);
      canvas.style.width = width + "px";
      canvas.style.height = this.height + "px";
    }
    const pen = this.layers[0].getContext("2d");
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
