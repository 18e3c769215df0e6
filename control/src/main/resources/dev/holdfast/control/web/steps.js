// How long the steps of jobs took while this page was open: the control plane keeps only the last.

const MOST = 600;

class Steps {
  constructor() {
    this.jobs = new Map();
  }

  take(entries) {
    for (const entry of entries) {
      if (entry.kind === "job.told" && entry.job.stepSeconds > 0) {
        this.add(entry.job.job, entry.at, entry.job);
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

  of(name) {
    return this.jobs.get(name) ?? [];
  }
}

export const steps = new Steps();
