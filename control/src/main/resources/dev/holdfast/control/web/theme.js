// Before anything is drawn: dark or light, as chosen here or as the system prefers.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("holdfast.theme");
  } catch {
    // Storage is forbidden: the system decides.
  }
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.theme = chosen || (light ? "light" : "dark");
})();
