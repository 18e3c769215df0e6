// How long the steps of jobs took: what the control plane has kept, thinned, and what came since.

const MOST = 600;

class Steps {
  constructor() {
    this.jobs = new Map();
  }

  take(entries) {
    for (const entry of entries) {
      const told = entry.kind === "job.told" ? entry.job : entry.kind === "job.stepped" ? entry.progress : null;
      if (told?.stepSeconds > 0) {
        this.add(told.job, entry.at, told);
      }
    }
  }

  add(name, at, { step, stepSeconds }) {
    const points = this.jobs.get(name) ?? [];
    if (points.at(-1)?.step !== step) {
      points.push({ at: Date.parse(at), step, seconds: stepSeconds });
      this.jobs.set(name, points.slice(-MOST));
    }
  }

  /** What the control plane has kept, before what was seen here. */
  begin(name, kept) {
    const seen = this.of(name);
    const first = seen[0]?.at ?? Infinity;
    const before = kept
      .map(([at, step, seconds]) => ({ at: Date.parse(at), step, seconds }))
      .filter((it) => it.at < first);
    this.jobs.set(name, [...before, ...seen].slice(-MOST));
  }

  of(name) {
    return this.jobs.get(name) ?? [];
  }
}

export const steps = new Steps();
