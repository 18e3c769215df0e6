// Asking the control plane. Every question has a deadline; what goes wrong is said in words.

import { headers } from "./token.js";

const DEADLINE = 15_000;
const LONG = 120_000;

export class Problem extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function fetched(path, options, deadline, read) {
  try {
    const answer = await fetch("/api/v1" + path, { ...options, signal: AbortSignal.timeout(deadline) });
    return await read(answer);
  } catch (failed) {
    throw failed instanceof Problem
      ? failed
      : new Problem(0, failed.name === "TimeoutError" ? "timeout" : "unreachable");
  }
}

function ask(path, options) {
  return fetched(path, options, DEADLINE, told);
}

async function told(answer) {
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

/**
 * Saves an answer as a file under the name the control plane gives it. A plain link could not carry
 * the token.
 */
export async function save(path) {
  const { bytes, name } = await fetched(path, { headers: headers() }, LONG, async (answer) => {
    if (!answer.ok) {
      await told(answer);
    }
    const named = /filename="([^"/\\]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
    return { bytes: await answer.blob(), name: named?.[1] ?? "holdfast" };
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LONG);
  return name;
}

export const part = encodeURIComponent;
