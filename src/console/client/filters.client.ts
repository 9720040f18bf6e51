// Filters of a list act at once: a choice when it is made, a search when its typing pauses.

/** How long a pause in typing is (ms). */
const PAUSE_MS = 700;

/** The path on which a search was being typed when its page was loaded again. */
const TYPING = "typing";

/** Continues the typing of a search on the page that shows what it has found so far. */
function continueTyping(): void {
  const path = sessionStorage.getItem(TYPING);
  sessionStorage.removeItem(TYPING);
  if (path !== window.location.pathname) return;
  const search = document.querySelector<HTMLInputElement>(
    '.filters input[type="search"][name="q"]',
  );
  // On a phone, the filters are folded.
  search?.closest("details")?.setAttribute("open", "");
  search?.focus({ preventScroll: true });
  search?.setSelectionRange(search.value.length, search.value.length);
}

export function actAtOnce(): void {
  continueTyping();
  let timer: number | undefined;
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const form = target.form;
    if (!form?.matches(".filters")) return;
    if (target instanceof HTMLSelectElement) form.requestSubmit();
    // The text above a picker's choices has no name of its own.
    else if (target.name === "q") {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        sessionStorage.setItem(TYPING, window.location.pathname);
        form.requestSubmit();
      }, PAUSE_MS);
    }
  });
  // Whoever goes elsewhere meanwhile does not come back.
  document.addEventListener("click", () => clearTimeout(timer), true);
  document.addEventListener("submit", () => clearTimeout(timer), true);
}
