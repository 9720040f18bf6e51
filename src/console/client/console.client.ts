// The script of every page: htmx, which refreshes lists, and small additions. Every page works
// without it.
import "htmx.org";
import { reportCalendarFailure } from "../oncall/calendar-failure.client.ts";
import { editRotation } from "../oncall/rotation.client.ts";
import { callAttention } from "./attention.client.ts";
import { watchConnection } from "./connection.client.ts";
import { focusFirstFault, helpWithForms } from "./editor.client.ts";
import { offerInstall } from "./install.client.ts";
import { offerKeyHelp } from "./key-help.client.ts";
import { listenForKeys } from "./keys.client.ts";
import { watchAlerts } from "./live.client.ts";
import { openPickers } from "./picker.client.ts";
import { offerPush } from "./push.client.ts";
import { watchPush } from "./push-watch.client.ts";
import { restPolls } from "./resting-polls.client.ts";
import { retryForms } from "./retry.client.ts";
import { showSelection } from "./selection.client.ts";
import { offerZone } from "./zone.client.ts";

/** Asks for a confirmation before a form with `data-confirm` is sent. */
function confirmSubmits(): void {
  document.addEventListener("submit", (event) => {
    const question = (event.target as HTMLFormElement).dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });
}

/** The offline page is not rendered by the server; it reads the theme from local storage. */
function storeTheme(): void {
  const { theme = "system" } = document.documentElement.dataset;
  localStorage.setItem("theme", theme);
}

/** The calendar is most of its page: it is loaded when everything else is there. */
function loadCalendar(): void {
  const path = document.getElementById("calendar")?.dataset.script;
  if (!path) return;
  const load = () => import(path).catch(reportCalendarFailure);
  if (document.readyState === "complete") load();
  else window.addEventListener("load", load);
}

confirmSubmits();
restPolls();
const region = watchAlerts(callAttention());
retryForms(region);
listenForKeys();
watchConnection();
offerZone();
offerPush();
offerInstall();
watchPush().catch(() => {});
helpWithForms();
offerKeyHelp();
showSelection();
openPickers();
editRotation();
focusFirstFault();
loadCalendar();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
storeTheme();
