// Asks for a reason before something is done, and does it. Whatever is refused is said in place.

import { post } from "./api.js";
import { h } from "./dom.js";
import { t } from "./text.js";
import { identify, looksOnly } from "./who.js";

/**
 * @param what title, text, the path to post to, whether a reason must be given, further body fields
 * @returns whether it was done
 */
export async function decide(what) {
  return looksOnly() && !(await identify()) ? false : ask(what);
}

function ask({ title, text, path, required = true, body = {}, field = "why", danger = false }) {
  return new Promise((answer) => {
    const problem = h("p", { class: "problem", role: "alert" });
    const reason = h("textarea", {
      rows: 3,
      maxlength: 500,
      id: "reason",
      placeholder: t(required ? "dialog.required" : "dialog.optional"),
    });
    const yes = h("button", { type: "submit", class: danger ? "danger" : "primary" }, title);
    const box = h(
      "dialog",
      { class: "ask", "aria-labelledby": "ask-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "ask-title" }, title),
        text ? h("p", {}, text) : null,
        h("label", { for: "reason" }, t(field === "text" ? "dialog.note" : "dialog.reason")),
        reason,
        problem,
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "quiet", onclick: () => box.close("no") }, t("dialog.cancel")),
          yes,
        ),
      ),
    );
    box.querySelector("form").onsubmit = async (event) => {
      event.preventDefault();
      const why = reason.value.trim();
      if (required && why.length < 3) {
        problem.textContent = t("dialog.missing");
        reason.focus();
        return;
      }
      yes.disabled = true;
      try {
        await post(path, why ? { ...body, [field]: why } : body);
        box.close("yes");
      } catch (refused) {
        problem.textContent =
          refused.status === 0 ? t("error." + refused.message) : t("dialog.refused", { why: refused.message });
        yes.disabled = false;
      }
    };
    reason.onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        box.querySelector("form").requestSubmit();
      }
    };
    box.onclose = () => {
      box.remove();
      answer(box.returnValue === "yes");
    };
    document.body.append(box);
    box.showModal();
    reason.focus();
  });
}
