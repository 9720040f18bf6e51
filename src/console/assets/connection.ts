// Keeps the last content of a page when a refresh fails, and shows since when it is outdated and
// why. Neither outdated content that looks current nor an empty list may be shown.

/** An htmx request (`detail.ctx` of its events). */
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

/** Why a response cannot be shown; null if it can. */
function faultOf({ response, text = "", select }: Asked): string | null {
  const status = response?.status ?? 0;
  if (status >= 500) return `The service has a problem (${status}).`;
  if (status < 200 || status >= 300) return `This page cannot be updated (${status}).`;
  const answered = new DOMParser().parseFromString(text, "text/html");
  const isThere = !select || answered.querySelector(select) !== null;
  return isThere ? null : "This page cannot be updated: the answer was another page.";
}

/** Watches htmx requests and shows the connection line at the top while they fail. */
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
    // A redirect of the whole page, usually to sign in.
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
