// Says when a list is not current any more, and since when: an old list that looks new is worse than none.

const clock = (at: number) =>
  new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);

/** Watches what htmx asks for; shows the line at the page's head while it gets no answer. */
export function watchConnection(): void {
  const line = document.getElementById("connection");
  if (line === null || document.querySelector("[data-current]") === null) return;
  let current = Date.now();
  const good = () => {
    current = Date.now();
    line.hidden = true;
  };
  const bad = () => {
    line.textContent = `No connection. What you see is of ${clock(current)}.`;
    line.hidden = false;
  };
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = (event as CustomEvent<{ ctx?: { response?: { status?: number } } }>).detail;
    const status = ctx?.response?.status ?? 0;
    if (status >= 200 && status < 400) good();
    else bad();
  });
  document.addEventListener("htmx:error", bad);
  window.addEventListener("offline", bad);
}
