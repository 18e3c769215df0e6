// Who sits here and what he may: look, or act too. Asked once, and again when the token changes.

import { get } from "./api.js";
import { h } from "./dom.js";
import { t } from "./text.js";
import { held, keep, wellFormed } from "./token.js";

const ACTING = ["operator", "admin"];

/** Nothing is known until it was asked. */
let me = null;

export async function recognise() {
  try {
    me = await get("/me");
  } catch (refused) {
    me = null;
    if (refused.status !== 401 && refused.status !== 403 && refused.status !== 429) {
      throw refused;
    }
  }
  return me;
}

export function looksOnly() {
  return me !== null && !ACTING.includes(me.role);
}

/** The name of whoever holds a token here, empty: nobody in particular. */
export function name() {
  return me?.known ? me.name : "";
}

export function role() {
  return me?.role ?? "";
}

/**
 * A place to paste a token.
 * @param done is called once it is in use
 */
export function form(done, acting) {
  const problem = h("p", { class: "problem", role: "alert" });
  const field = h("input", {
    type: "password",
    id: "token",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "hf_…",
  });
  const yes = h("button", { type: "submit", class: "primary" }, t("token.use"));
  const box = h(
    "form",
    { class: "token", keep: "token-form" },
    h("label", { for: "token" }, t("token.label")),
    field,
    problem,
    h("div", { class: "buttons" }, yes),
  );
  box.onsubmit = async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!wellFormed(text)) {
      problem.textContent = t("token.form");
      field.focus();
      return;
    }
    yes.disabled = true;
    keep(text);
    try {
      if (!(await recognise())) {
        keep("");
        problem.textContent = t("token.unknown");
      } else if (acting && looksOnly()) {
        problem.textContent = t("token.viewer", { name: name() });
      } else {
        done();
      }
    } catch (failed) {
      problem.textContent = t("error." + failed.message);
    }
    yes.disabled = false;
  };
  return box;
}

/** Asks for a token that allows acting; whether there is one now. */
export function identify() {
  return new Promise((answer) => {
    const box = h(
      "dialog",
      { class: "ask", "aria-labelledby": "who-title" },
      h("h2", { id: "who-title" }, t("token.lookTitle")),
      h("p", {}, t("token.lookText")),
      h("p", {}, h("code", {}, "holdfast token create --name NAME --role operator")),
      form(() => box.close("yes"), true),
    );
    box
      .querySelector(".buttons")
      .prepend(h("button", { type: "button", class: "quiet", onclick: () => box.close("no") }, t("dialog.cancel")));
    box.onclose = () => {
      box.remove();
      answer(box.returnValue === "yes");
    };
    document.body.append(box);
    box.showModal();
    box.querySelector("input").focus();
  });
}

/** In place of a page that nobody may see without a token. */
export function stranger(done) {
  return h(
    "div",
    { class: "trouble stranger" },
    h("h1", {}, t(held() ? "token.endedTitle" : "token.neededTitle")),
    h("p", {}, t(held() ? "token.endedText" : "token.neededText")),
    form(done, false),
    held()
      ? h(
          "button",
          {
            class: "quiet",
            onclick: async () => {
              keep("");
              try {
                await recognise();
              } catch {
                // The page itself says that nobody answers.
              }
              done();
            },
          },
          t("token.forget"),
        )
      : null,
  );
}
