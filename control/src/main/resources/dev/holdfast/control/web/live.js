// What happens, as it happens. Entries are handed on at most four times a second; whoever missed
// something is told to load again; and it is always known since when nothing can be heard.

import { headers } from "./token.js";

const HAND_ON = 250;
const SILENCE = 40_000;
const MOST_WAIT = 15_000;

const listeners = new Set();
let waiting = [];
let timer = 0;
let tries = 0;

export const connection = { up: false, since: null, everUp: false };

export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(event) {
  for (const listener of [...listeners]) {
    listener(event);
  }
}

function take(entry) {
  waiting.push(entry);
  if (!timer) {
    timer = setTimeout(() => {
      timer = 0;
      const entries = waiting;
      waiting = [];
      tell({ kind: "entries", entries });
    }, HAND_ON);
  }
}

function change(up) {
  if (connection.up !== up || connection.since === null) {
    connection.up = up;
    connection.since = new Date();
    tell({ kind: "connection" });
  }
}

/** Listens for ever; begins again after every break, a little later each time. */
export async function follow() {
  for (;;) {
    let behind = false;
    try {
      behind = await once();
    } catch {
      // Told below.
    }
    if (!behind) {
      change(false);
    }
    tries += 1;
    const wait = behind ? HAND_ON : Math.min(MOST_WAIT, 500 * 2 ** Math.min(tries, 5));
    await new Promise((wake) => setTimeout(wake, wait * (0.5 + Math.random() / 2)));
  }
}

/** Listens until it breaks; true: too much happened to be told one by one, and nothing is broken. */
async function once() {
  const stop = new AbortController();
  let watch = setTimeout(() => stop.abort(), SILENCE);
  try {
    const answer = await fetch("/api/v1/events", {
      headers: headers({ Accept: "text/event-stream" }),
      signal: stop.signal,
    });
    if (!answer.ok) {
      return false;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return false;
      }
      clearTimeout(watch);
      watch = setTimeout(() => stop.abort(), SILENCE);
      text += value;
      let end;
      while ((end = text.search(/\r?\n\r?\n/)) >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end).replace(/^(\r?\n){2}/, "");
        if (!heard(block)) {
          return true;
        }
      }
    }
  } finally {
    clearTimeout(watch);
    stop.abort();
  }
}

/** One event; false: it says that this stream is over. */
function heard(block) {
  let name = "message";
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) {
      name = line.slice(6).trim();
    } else if (line.startsWith("data:")) {
      data.push(line.slice(5).trimStart());
    }
  }
  if (name === "hello") {
    const again = connection.everUp;
    connection.everUp = true;
    tries = 0;
    change(true);
    if (again) {
      tell({ kind: "reload" });
    }
  } else if (name === "entry") {
    const { at, entry } = JSON.parse(data.join("\n"));
    take({ at, ...entry });
  } else if (name === "behind") {
    tries = 0;
    return false;
  }
  return true;
}

/** The node an entry is about, empty: none. */
export function nodeOf(entry) {
  const subject = entry.finding?.subject ?? entry.subject ?? entry.target ?? "";
  if (subject.startsWith("node/")) {
    return subject.split("/")[1];
  }
  return typeof entry.node === "string" ? entry.node : (entry.node?.node ?? "");
}
