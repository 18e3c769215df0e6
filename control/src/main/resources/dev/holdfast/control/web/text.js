// Every word of the page, in the language chosen here or preferred by the browser.

import { words as en } from "./words/en.js";
import { words as zh } from "./words/zh.js";

export const tables = { en, zh };

function stored() {
  try {
    return localStorage.getItem("holdfast.language");
  } catch {
    return null;
  }
}

let language = stored() ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
document.documentElement.lang = language;

export function spoken() {
  return language;
}

export function speak(other) {
  language = other;
  document.documentElement.lang = other;
  try {
    localStorage.setItem("holdfast.language", other);
  } catch {
    // Then only until the page is left.
  }
}

/** The text of a key, with {names} filled in; one of something has its own form where it needs one. */
export function t(key, values) {
  const table = tables[language];
  const single = values && Number(values.count) === 1 ? table[key + ".one"] : undefined;
  const text = single ?? table[key] ?? en[key] ?? key;
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "") : text;
}

/** A word of the protocol (a state, an action) in words of people; unknown ones stay as they are. */
export function word(kind, value) {
  const key = kind + "." + value;
  return tables[language][key] ?? en[key] ?? value ?? "";
}
