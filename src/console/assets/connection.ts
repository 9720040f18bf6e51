// Keeps what a page shows when a part of it cannot be read again, and says since when it is old, and why: an old list
// that looks new is worse than none, and so is an empty one.

/** What htmx says of a request (its events' `detail.ctx`). */
type Asked = {
  readonly select?: string | null;
  readonly text?: string;
  readonly response?: { readonly status: number };
  readonly request?: { readonly signal?: AbortSignal };
  readonly hx?: { readonly redirect?: string };
};

const askedIn = (event: Event) => (event as CustomEvent<{ ctx?: Asked }>).detail.ctx;

const clock = (at: number) =>
  new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);

/** Why an answer is none that may be shown; null: it may. */
function faultOf({ response, text = "", select }: Asked): string | null {
  const status = response?.status ?? 0;
  if (status >= 500) return `The service has a problem (${status}).`;
  if (status < 200 || status >= 300) return `This page cannot be updated (${status}).`;
  const answered = new DOMParser().parseFromString(text, "text/html");
  const isThere = !select || answered.querySelector(select) !== null;
  return isThere ? null : "This page cannot be updated: the answer was another page.";
}

/** Watches what htmx asks for; shows the line at the page's head while it gets no answer that can be shown. */
export function watchConnection(): void {
  const line = document.getElementById("connection");
  if (line === null || document.querySelector("[hx-get]") === null) return;
  let current = Date.now();
  const good = () => {
    current = Date.now();
    line.hidden = true;
  };
  const bad = (why: string) => {
    line.textContent = `${why} Last updated at ${clock(current)}.`;
    line.hidden = false;
  };
  document.addEventListener("htmx:after:request", (event) => {
    const asked = askedIn(event);
    // The whole page goes elsewhere: to sign in, most often.
    if (asked === undefined || asked.hx?.redirect) return;
    const fault = faultOf(asked);
    if (fault === null) return good();
    event.preventDefault();
    bad(fault);
  });
  document.addEventListener("htmx:error", (event) => {
    const isLate = askedIn(event)?.request?.signal?.reason === "timeout";
    bad(isLate ? "The service is not responding." : "No connection.");
  });
  window.addEventListener("offline", () => bad("No connection."));
}
