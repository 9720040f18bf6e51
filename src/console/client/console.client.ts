// The script of every page: htmx, which refreshes lists, and small additions. Every page works
// without it.
import { counted } from "../../domain/shared/counted.ts";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { steadyList } from "../alerts/steady-list.client.ts";
import { reportCalendarFailure } from "../oncall/calendar-failure.client.ts";
import { editRotation } from "../oncall/rotation.client.ts";
import { callAttention } from "./attention.client.ts";
import { watchConnection } from "./connection.client.ts";
import { focusFirstFault, helpWithForms } from "./editor.client.ts";
import { element } from "./element.client.ts";
import { actAtOnce } from "./filters.client.ts";
import { listenForKeys, offerKeyHelp, openFind } from "./keys.client.ts";
import { watchAlerts } from "./live.client.ts";
import { openPickers } from "./picker.client.ts";
import { offerPush, watchPush } from "./push.client.ts";
import { retryForms } from "./retry.client.ts";
import { ignoreStrayTaps } from "./taps.client.ts";

import "htmx.org";

// The bar of the selected alerts: how many they are, and a button that selects all of the page.

const boxes = () => [
  ...document.querySelectorAll<HTMLInputElement>('[data-rows] .alert:not([hidden]) [form="bulk"]'),
];

function showSelected(): void {
  const text = document.querySelector<HTMLElement>("[data-selected]");
  const button = document.querySelector<HTMLButtonElement>("[data-select-all]");
  if (text === null || button === null) return;
  const all = boxes();
  const count = all.filter(({ checked }) => checked).length;
  const matching = document.querySelector<HTMLInputElement>("[data-select-matching]");
  const total = document.querySelector<HTMLElement>("[data-total]")?.dataset.total ?? "0";
  if (matching?.nextElementSibling)
    matching.nextElementSibling.textContent = `All ${total} that match`;
  const isMatching = matching?.checked === true;
  text.textContent = isMatching
    ? `All ${total} alerts that match selected`
    : `${counted(count, "alert")} selected`;
  button.hidden = count === 0 || isMatching;
  button.textContent = count === all.length ? "Clear the selection" : `Select all ${all.length}`;
}

/** Keeps the bar as the selection is, which a refreshed list changes too. */
function showSelection(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-select-all]");
  if (button === null) return;
  document.addEventListener("change", showSelected);
  document.addEventListener("htmx:after:swap", showSelected);
  button.addEventListener("click", () => {
    const all = boxes();
    const selects = all.some(({ checked }) => !checked);
    for (const box of all) box.checked = selects;
    showSelected();
  });
  showSelected();
}

// Polls of a page that nobody looks at rest: a tab in the background, and one that nobody has touched
// for half an hour. They go on as soon as somebody does. What may hang on a wall does not rest: alerts,
// and who is on call.

/** How long a page is polled for without anybody touching it (ms). */
const REST_AFTER_MS = 1_800_000;

const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Elements that are polled for as long as the page is open. */
const LASTING = "[data-live], [data-lasting]";

function restPolls(): void {
  let touchedAt = Date.now();
  const touch = () => {
    touchedAt = Date.now();
  };
  for (const name of TOUCHES) {
    document.addEventListener(name, touch, { capture: true, passive: true });
  }
  document.addEventListener("visibilitychange", touch);
  const rest = (event: Event) => {
    if (event.target instanceof HTMLElement && event.target.matches(LASTING)) return;
    const isResting = document.hidden || Date.now() - touchedAt >= REST_AFTER_MS;
    if (isResting) event.stopImmediatePropagation();
  };
  document.addEventListener("every", rest, true);
}

/** Shows a button that chooses the device's time zone, if the field has another. */
function offerZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const placeholder of document.querySelectorAll<HTMLElement>("[data-device-zone]")) {
    const select = placeholder.closest("form")?.querySelector<HTMLSelectElement>("select");
    if (!select || !zone || select.value === zone) continue;
    const text = `Use this device's time zone: ${zone}`;
    const button = element("button", { type: "button", class: "link" }, text);
    button.addEventListener("click", () => {
      if (![...select.options].some(({ value }) => value === zone)) {
        select.prepend(new Option(zone, zone));
      }
      select.value = zone;
    });
    placeholder.replaceChildren(button);
  }
}

/** Chromium's event; other browsers install from their menu. */
type InstallEvent = Event & { readonly prompt: () => Promise<unknown> };

/** Shows the button that installs the app once the browser says that it can be installed. */
function offerInstall(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-install]");
  if (button === null) return;
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    button.hidden = false;
    button.addEventListener("click", () => {
      button.hidden = true;
      (event as InstallEvent).prompt().catch(() => {});
    });
  });
}

/** Asks for a confirmation before a form with `data-confirm` is sent, and closes the sheet that it is in. */
function confirmSubmits(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const question = form.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
    // What the step leads to is shown in the page, under a sheet of steps.
    else form.closest<HTMLElement>(":popover-open")?.hidePopover();
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

/** Counts down to the next steps that the page shows. */
function countDown(): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLTimeElement>("[data-left]")) {
      time.textContent = `in ${lengthOf(Math.max(0, Date.parse(time.dateTime) - Date.now()))}`;
    }
  }, 1_000);
}

ignoreStrayTaps();
confirmSubmits();
countDown();
restPolls();
const region = watchAlerts(callAttention());
steadyList(region);
retryForms(region);
listenForKeys();
watchConnection();
actAtOnce();
offerZone();
offerPush();
offerInstall();
watchPush().catch(() => {});
helpWithForms();
offerKeyHelp();
showSelection();
openPickers();
openFind();
editRotation();
focusFirstFault();
loadCalendar();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
storeTheme();
