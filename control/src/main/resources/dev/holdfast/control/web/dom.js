// Elements without markup in strings, and a way to make what is shown equal to what should be
// shown while focus, scroll and open parts stay where they are.

const SVG = "http://www.w3.org/2000/svg";
const HANDLERS = [
  "onclick",
  "onkeydown",
  "oninput",
  "onchange",
  "onsubmit",
  "onpointerenter",
  "onpointerleave",
  "onpointermove",
  "onfocus",
  "onblur",
];

// Control characters, marks of direction and others that are not seen but turn around, hide or join what is.
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;

/** Text of others as people may see it: what acts is shown by its number. */
function shown(text) {
  return text.replace(ACTS, (it) => "\\u{" + it.codePointAt(0).toString(16) + "}");
}

export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name === "key" || name === "keep" || typeof value === "function") {
      element[name] = value;
    } else {
      const told = name === "title" || name === "aria-label";
      element.setAttribute(name, value === true ? "" : told ? shown(String(value)) : value);
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === "string" ? shown(child) : child);
    }
  }
}

let widgets = 0;

/**
 * An element that lives on by itself, such as a canvas, as a child: what is shown already stays
 * where it is, and only a stand-in for it goes into the comparison.
 */
export function widget(element) {
  element.keep ??= "widget-" + ++widgets;
  element.key = element.keep;
  if (!element.isConnected) {
    return element;
  }
  const stand = document.createElement(element.nodeName);
  stand.keep = element.keep;
  stand.key = element.key;
  stand.real = element;
  return stand;
}

function settle(added) {
  if (added.real) {
    added.replaceWith(added.real);
  } else if (added.nodeType === Node.ELEMENT_NODE) {
    [...added.children].forEach(settle);
  }
}

/** Makes the children of an element equal to these; what has the same key stays itself. */
export function patch(target, ...children) {
  const wanted = document.createElement(target.nodeName === "BODY" ? "div" : target.nodeName);
  append(wanted, children);
  alike(target, wanted);
}

function alike(old, wanted) {
  const keyed = new Map();
  for (const child of old.childNodes) {
    if (child.key !== undefined) {
      keyed.set(child.key, child);
    }
  }
  let at = old.firstChild;
  for (const next of [...wanted.childNodes]) {
    let match = null;
    if (next.key !== undefined) {
      match = keyed.get(next.key) ?? null;
    } else if (at && at.key === undefined && same(at, next)) {
      match = at;
    }
    if (match && same(match, next)) {
      if (match === at) {
        at = at.nextSibling;
      } else {
        old.insertBefore(match, at);
      }
      morph(match, next);
    } else {
      old.insertBefore(next, at);
      settle(next);
    }
  }
  while (at) {
    const rest = at.nextSibling;
    at.remove();
    at = rest;
  }
}

function same(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.key === b.key && a.keep === b.keep;
}

function morph(old, wanted) {
  if (old === wanted || (old.keep !== undefined && old.keep === wanted.keep)) {
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== wanted.data) {
      old.data = wanted.data;
    }
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) {
      old.removeAttribute(name);
    }
  }
  for (const { name, value } of [...wanted.attributes]) {
    if (old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  for (const name of HANDLERS) {
    if (old[name] !== wanted[name]) {
      old[name] = wanted[name];
    }
  }
  alike(old, wanted);
}
