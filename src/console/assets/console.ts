// What every page loads: htmx, which keeps lists current, and the few things that need a script. Everything works
// without it, only less comfortably.
import "htmx.org";
import { watchConnection } from "./connection.ts";
import { offerPush, offerZone } from "./device.ts";
import { helpWithForms } from "./editor.ts";
import { listenForKeys } from "./keys.ts";
import { sendFormsAgain } from "./retry.ts";

/** Forms that ask before they are sent. */
function askFirst(): void {
  document.addEventListener("submit", (event) => {
    const question = (event.target as HTMLFormElement).dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });
}

/** The page without a connection is none of the server's: it looks up here what this browser was told. */
function rememberTheme(): void {
  const { theme = "system" } = document.documentElement.dataset;
  localStorage.setItem("theme", theme);
}

askFirst();
sendFormsAgain();
listenForKeys();
watchConnection();
offerZone();
offerPush();
helpWithForms();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
rememberTheme();
