// Keeps the last content of a page when a refresh fails, and shows since when it is outdated and
// why. Neither outdated content that looks current nor an empty list may be shown.

import { type HtmxRequest, requestIn } from "./region.client.ts";

const clock = (at: number) =>
  new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(at);

/** Why a response cannot be shown; null if it can. */
function failureOf({ response, text = "", select }: HtmxRequest): string | null {
  const status = response?.status ?? 0;
  if (status >= 500) return `The service has a problem (${status}).`;
  if (status < 200 || status >= 300) return `This page cannot be updated (${status}).`;
  const page = new DOMParser().parseFromString(text, "text/html");
  const isIncluded = !select || page.querySelector(select) !== null;
  return isIncluded ? null : "This page cannot be updated: the answer was another page.";
}

/** Watches htmx requests and shows the connection line at the top while they fail. */
export function watchConnection(): void {
  const line = document.getElementById("connection");
  if (line === null || document.querySelector("[hx-get]") === null) return;
  let current = Date.now();
  const showConnected = () => {
    current = Date.now();
    line.hidden = true;
  };
  const showFailure = (reason: string) => {
    line.textContent = `${reason} Last updated at ${clock(current)}.`;
    line.hidden = false;
  };
  document.addEventListener("htmx:after:request", (event) => {
    const htmxRequest = requestIn(event);
    // A redirect of the whole page, usually to sign in.
    if (htmxRequest === undefined || htmxRequest.hx?.redirect) return;
    const fault = failureOf(htmxRequest);
    if (fault === null) return showConnected();
    event.preventDefault();
    showFailure(fault);
  });
  document.addEventListener("htmx:error", (event) => {
    const isLate = requestIn(event)?.request?.signal?.reason === "timeout";
    showFailure(isLate ? "The service is not responding." : "No connection.");
  });
  window.addEventListener("offline", () => showFailure("No connection."));
}
