// The script of every page: htmx, which refreshes lists, and small additions. Every page works
// without it.
import "htmx.org";
import { watchConnection } from "./connection.ts";
import { offerInstall } from "./device/install.ts";
import { offerPush } from "./device/push.ts";
import { watchPush } from "./device/push-watch.ts";
import { offerZone } from "./device/zone.ts";
import { focusFirstFault, helpWithForms } from "./editor.ts";
import { offerKeyHelp } from "./key-help.ts";
import { listenForKeys } from "./keys.ts";
import { callAttention } from "./live/attention.ts";
import { watchAlerts } from "./live/live.ts";
import { restPolls } from "./live/resting-polls.ts";
import { reportCalendarFailure } from "./oncall/calendar-failure.ts";
import { editRotation } from "./oncall/rotation.ts";
import { openPickers } from "./pickers/picker.ts";
import { retryForms } from "./retry.ts";
import { showSelection } from "./selection.ts";

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
