// All nodes as the heatmap and the list need them. The control plane says how a node is; here it is
// only asked again about those something happened to.

import { get, part } from "./api.js";
import { nodeOf } from "./live.js";
import { members } from "./members.js";
import { natural, synchronise } from "./units.js";

const MOST_NAMED = 300;

export class Fleet {
  constructor() {
    this.rows = new Map();
    this.names = [];
    this.dirty = new Set();
    this.all = true;
    this.asking = null;
  }

  /** Asks for what is not known or no longer true; false: nothing was. */
  async load() {
    if (this.asking) {
      await this.asking;
    }
    if (!this.all && this.dirty.size === 0) {
      return false;
    }
    this.asking = this.ask();
    try {
      await this.asking;
    } finally {
      this.asking = null;
    }
    return true;
  }

  async ask() {
    const whole = this.all || this.dirty.size > MOST_NAMED;
    const named = [...this.dirty];
    this.dirty = new Set();
    this.all = false;
    let tree;
    try {
      tree = await get(whole ? "/heatmap" : "/heatmap?nodes=" + named.map(part).join(","));
    } catch (failed) {
      this.all = true;
      throw failed;
    }
    synchronise(tree.time);
    const rows = read(tree);
    if (whole) {
      this.rows = new Map();
    }
    let fresh = whole;
    for (const row of rows) {
      fresh ||= !this.rows.has(row.node);
      this.rows.set(row.node, row);
    }
    if (fresh) {
      this.names = [...this.rows.keys()].sort(natural);
    }
  }

  /** Something happened: who must be asked about again. */
  touch(entries) {
    for (const entry of entries) {
      if (entry.kind === "job.told") {
        this.job(entry.job);
      } else if (entry.kind === "incident.closed" || entry.kind === "incident.widened") {
        for (const row of this.rows.values()) {
          if (row.severity) {
            this.dirty.add(row.node);
          }
        }
      } else if (/^(node|finding|action)\./.test(entry.kind)) {
        const node = nodeOf(entry);
        if (node) {
          this.dirty.add(node);
        }
      }
    }
  }

  job(job) {
    const over = ended(job.state);
    if (!job.members && !over) {
      return; // members come only when they changed
    }
    const used = new Set(over ? [] : [...members(job)].map((it) => it.node));
    for (const row of this.rows.values()) {
      if (used.has(row.node) !== (row.job === job.job) && (used.has(row.node) || row.job === job.job)) {
        this.dirty.add(row.node);
      }
    }
  }
}

/** Whether a job in that state uses nothing any more. */
export function ended(state) {
  return state === "finished" || state === "failed" || state === "lost";
}

/** The rows of an answer as objects. */
export function read(tree) {
  return tree.rows.map((values) => {
    const row = {};
    tree.columns.forEach((name, index) => {
      row[name] = values[index];
    });
    row.place ??= {};
    row.devices = tree.layouts[row.layout];
    return row;
  });
}
