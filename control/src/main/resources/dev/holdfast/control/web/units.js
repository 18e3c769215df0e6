// Numbers with their units, and times as people say them, with the exact one on hover.

import { h } from "./dom.js";
import { spoken, t } from "./text.js";

let ahead = 0;

/** The control plane's clock is what counts. */
export function synchronise(time) {
  ahead = Date.parse(time) - Date.now();
}

export function now() {
  return Date.now() + ahead;
}

export function number(value, digits = 0) {
  return new Intl.NumberFormat(spoken(), { maximumFractionDigits: digits }).format(value);
}

export function percent(share, digits = 1) {
  if (share === null || share === undefined) {
    return "–";
  }
  const form = new Intl.NumberFormat(spoken(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return form.format(share * 100) + " %";
}

/** 4 s, 3 min, 2 h 5 min, 3 d 4 h: two units at most. */
export function duration(seconds) {
  const all = Math.max(0, seconds);
  if (all === 0) {
    return "0 s";
  }
  if (all < 1) {
    return number(all * 1000) + " ms";
  }
  if (all < 10) {
    return number(all, 1) + " s";
  }
  const whole = Math.round(all);
  if (whole < 120) {
    return whole + " s";
  }
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    return minutes + " min";
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return hours + " h" + (minutes % 60 ? " " + (minutes % 60) + " min" : "");
  }
  return Math.floor(hours / 24) + " d" + (hours % 24 ? " " + (hours % 24) + " h" : "");
}

export function exact(time) {
  const at = new Date(time);
  return at.toLocaleString(spoken(), { dateStyle: "medium", timeStyle: "medium" }) + " · " + at.toISOString();
}

/** The time of day with milliseconds, for timelines. */
export function clock(time) {
  const at = new Date(time);
  return at.toLocaleTimeString("en-GB") + "." + String(at.getMilliseconds()).padStart(3, "0");
}

function words(time, plain) {
  const seconds = (now() - Date.parse(time)) / 1000;
  if (plain) {
    return duration(Math.max(1, seconds));
  }
  if (seconds < 2) {
    return t("time.now");
  }
  return t("time.ago", { time: duration(Math.floor(seconds)) });
}

/** "3 min ago"; grows older by itself. */
export function ago(time) {
  return time ? h("time", { datetime: time, title: exact(time), "data-form": "ago" }, words(time, false)) : "–";
}

/** "3 min": for how long something has been so. */
export function since(time) {
  return time ? h("time", { datetime: time, title: exact(time), "data-form": "since" }, words(time, true)) : "–";
}

export function age() {
  for (const element of document.querySelectorAll("time[data-form]")) {
    const text = words(element.dateTime, element.dataset.form === "since");
    if (element.textContent !== text) {
      element.textContent = text;
    }
  }
}

const NATURAL = new Intl.Collator("en", { numeric: true });

/** n2 before n10. */
export function natural(a, b) {
  return NATURAL.compare(a, b);
}
