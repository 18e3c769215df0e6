// The token this page was given: kept until the tab is closed, and never left in the address bar,
// where it would end up in histories and pictures of the screen.

const KEY = "holdfast.token";
const FORM = /^hf_[A-Za-z0-9_-]{43}$/;

let token = "";
try {
  token = sessionStorage.getItem(KEY) ?? "";
} catch {
  // Then only until the page is left.
}

/** Takes a token out of the address, where `serve` and `up` put it; whether there was one. */
export function arrived() {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (!found) {
    return false;
  }
  history.replaceState(null, "", location.pathname + location.search);
  keep(found[1]);
  return true;
}

export function wellFormed(text) {
  return FORM.test(text);
}

export function keep(text) {
  token = FORM.test(text) ? text : "";
  try {
    if (token) {
      sessionStorage.setItem(KEY, token);
    } else {
      sessionStorage.removeItem(KEY);
    }
  } catch {
    // Then only until the page is left.
  }
}

export function held() {
  return token !== "";
}

export function headers(more = {}) {
  return token ? { ...more, Authorization: "Bearer " + token } : more;
}

arrived();
