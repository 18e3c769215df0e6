// Asking the control plane. Every question has a deadline; what goes wrong is said in words.

import { headers } from "./token.js";

const DEADLINE = 15_000;

export class Problem extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch("/api/v1" + path, { ...options, signal: AbortSignal.timeout(DEADLINE) });
  } catch (failed) {
    throw new Problem(0, failed.name === "TimeoutError" ? "timeout" : "unreachable");
  }
  let tree = null;
  try {
    tree = await answer.json();
  } catch {
    // An answer without JSON still has its status.
  }
  if (!answer.ok) {
    throw new Problem(answer.status, tree?.error ?? String(answer.status));
  }
  return tree;
}

export function get(path) {
  return ask(path, { headers: headers() });
}

export function post(path, body) {
  return ask(path, {
    method: "POST",
    headers: headers({ "Content-Type": "application/json" }),
    body: JSON.stringify(body),
  });
}

export const part = encodeURIComponent;
