// Keeps the list of alerts still under a finger, a mouse or the keys: refreshes change rows where they are, new
// rows wait behind "1 new alert", and nothing moves until the pointer has left.
import { counted } from "../../domain/shared/counted.ts";
import type { LiveRegion } from "../client/region.client.ts";

/** How long after a pointer was on the list its rows stay in place (ms). */
const NEAR_MS = 1_000;

/** A swap of htmx, as its events describe it. */
type Swap = { readonly tasks?: readonly { readonly fragment: DocumentFragment }[] };

const LIST = "[data-rows]";
const rowsIn = (place: ParentNode) => [...place.querySelectorAll<HTMLElement>(".alerts > .alert")];
const isIn = (target: EventTarget | null) => target instanceof Element && !!target.closest(LIST);

/** What the pointer does to the list. */
class Pointer {
  #isDown = false;
  #isOver = false;
  #at = Number.NEGATIVE_INFINITY;

  constructor() {
    const listen = (name: string, act: (event: PointerEvent) => void) =>
      document.addEventListener(name, (event) => act(event as PointerEvent), {
        capture: true,
        passive: true,
      });
    const touch = () => {
      this.#at = performance.now();
    };
    listen("pointerdown", ({ target }) => {
      this.#isDown = isIn(target);
      if (this.#isDown) touch();
    });
    listen("pointermove", ({ target }) => isIn(target) && touch());
    // Whoever answers by keys sees the answer in its place, too.
    listen("keydown", ({ target }) => isIn(target) && touch());
    for (const name of ["pointerup", "pointercancel"])
      listen(name, () => {
        if (this.#isDown) touch();
        this.#isDown = false;
      });
    listen("pointerover", ({ target, pointerType }) => {
      this.#isOver = pointerType === "mouse" && isIn(target);
    });
    document.documentElement.addEventListener("pointerleave", () => {
      this.#isOver = false;
    });
  }

  get isNear(): boolean {
    return this.#isDown || this.#isOver || performance.now() - this.#at < NEAR_MS;
  }

  /** Lets the list move once although a mouse is over it. */
  release(): void {
    this.#isOver = false;
    this.#at = Number.NEGATIVE_INFINITY;
  }
}

/** A row that has left the list: it stays in its place, without its buttons. */
function leftBehind(row: HTMLElement): HTMLElement {
  const copy = row.cloneNode(true) as HTMLElement;
  copy.dataset.gone = "";
  const badge = copy.querySelector(".badge.state");
  if (badge) {
    if (!badge.classList.contains("expected")) badge.textContent = "changed";
    badge.className = "badge state";
  }
  copy.querySelector(".buttons")?.toggleAttribute("inert", true);
  return copy;
}

/**
 * Rewrites a refreshed list so that its rows are where they are now; new ones are last, and hidden.
 * Returns whether that changed the list.
 */
function keepPlaces(refreshed: ParentNode): boolean {
  const [list, ...groups] = refreshed.querySelectorAll(".alerts");
  const current = rowsIn(document);
  if (current.length === 0) return false;
  const arrived = new Map(rowsIn(refreshed).map((row) => [row.id, row]));
  const isSame =
    arrived.size === current.length && [...arrived.keys()].every((id, i) => id === current[i]?.id);
  if (isSame || list === undefined || groups.length > 0) return !isSame;
  const kept = current.flatMap((row) => {
    const fresh = arrived.get(row.id);
    arrived.delete(row.id);
    if (fresh) fresh.hidden = row.hidden;
    else if (row.hidden) return [];
    return [fresh ?? leftBehind(row)];
  });
  for (const row of arrived.values()) row.hidden = true;
  list.replaceChildren(...kept, ...arrived.values());
  return true;
}

/** The number of alerts that match the filters, on all pages. */
const totalOf = () =>
  Number(document.querySelector<HTMLElement>("[data-total]")?.dataset.total ?? 0);

function newsButton(): HTMLButtonElement {
  const line = document.createElement("div");
  line.className = "news";
  line.setAttribute("role", "status");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "button primary", hidden: true });
  line.append(button);
  document.querySelector("main")?.append(line);
  return button;
}

/** @param region the part of the page that shows alerts */
export function steadyList(region: LiveRegion | null): void {
  if (region?.alertId !== null || document.querySelector("#row-steps, [data-total]") === null)
    return;
  const pointer = new Pointer();
  const button = newsButton();
  let known = { total: totalOf(), ids: new Set(rowsIn(document).map(({ id }) => id)) };
  /** Alerts that came and are on another page of the list. */
  let elsewhere = 0;
  let timer: number | undefined;

  const letMove = () => {
    if (pointer.isNear) return;
    clearInterval(timer);
    timer = undefined;
    void region.refresh();
  };

  const showNews = () => {
    const hidden = rowsIn(document).filter((row) => row.hidden).length;
    button.hidden = hidden + elsewhere === 0;
    button.textContent = counted(hidden + elsewhere, "new alert");
  };

  button.addEventListener("click", () => {
    if (elsewhere > 0) {
      const url = new URL(window.location.href);
      url.searchParams.set("sort", "newest");
      url.searchParams.delete("page");
      window.location.assign(url);
      return;
    }
    pointer.release();
    letMove();
  });

  document.addEventListener("htmx:before:swap", (event) => {
    const { tasks = [] } = (event as CustomEvent<Swap>).detail;
    const fragment = tasks[0]?.fragment;
    if (!fragment || !pointer.isNear || !keepPlaces(fragment)) return;
    // A list without rows, or in groups, waits as it is.
    if (fragment.querySelectorAll(".alerts").length !== 1) event.preventDefault();
    timer ??= window.setInterval(letMove, NEAR_MS / 4);
  });

  document.addEventListener("htmx:after:swap", () => {
    const ids = rowsIn(document).map(({ id }) => id);
    const added = ids.filter((id) => !known.ids.has(id)).length;
    elsewhere += Math.max(0, totalOf() - known.total - added);
    if (totalOf() <= ids.length) elsewhere = 0;
    known = { total: totalOf(), ids: new Set([...known.ids, ...ids]) };
    showNews();
  });
}
