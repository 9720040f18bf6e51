// The links of an alert that are buttons: runbook, dashboard, source, and every other https address of
// its additional data, under its name. Pure.
import type { AdditionalDatum } from "./alert.ts";

export type AlertLink = { readonly label: string; readonly url: string };

/** The most buttons; the additional data shows all. */
const MOST = 6;
/** Longer ones (in characters) are left to the additional data. */
const MAX_URL = 2_048;
const MAX_LABEL = 32;

/** What a responder opens first. */
const FIRST: readonly string[] = ["Runbook", "Dashboard", "Panel", "Source"];

/** Senders' names that do not say what is behind them. */
const NAMES: Readonly<Record<string, string>> = {
  generator: "Source",
  external: "Sender",
  playbook: "Runbook",
  html: "",
};

/** The address of a button; null for another scheme, or one with a password or without a host. */
function buttonUrl(value: string): URL | null {
  if (value.length > MAX_URL || !/^https:\/\/\S+$/i.test(value)) return null;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url : null;
}

/** `runbook_url` is `Runbook`, `panelURL` is `Panel`, `details.ticketLink` is `Details ticket`; `url` is its host. */
function labelOf(name: string, url: URL): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .split(/[\s_.:-]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => !["", "url", "uri", "link", "href"].includes(word))
    .map((word) => (Object.hasOwn(NAMES, word) ? (NAMES[word] ?? "") : word));
  const label = words.join(" ").replace(/\s+/g, " ").trim() || url.hostname;
  const shown = label === url.hostname ? label : label.charAt(0).toUpperCase() + label.slice(1);
  return shown.length > MAX_LABEL ? `${shown.slice(0, MAX_LABEL - 1)}…` : shown;
}

const rankOf = ({ label }: AlertLink) => {
  const at = FIRST.indexOf(label);
  return at < 0 ? FIRST.length : at;
};

/** Each address once, those first that a responder opens first. */
export function alertLinks(data: readonly AdditionalDatum[]): readonly AlertLink[] {
  const links = data.flatMap(({ label, value }) => {
    const url = buttonUrl(value);
    return url === null ? [] : [{ label: labelOf(label, url), url: value }];
  });
  const distinct = links.filter(({ url }, at) => links.findIndex((it) => it.url === url) === at);
  return distinct.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MOST);
}
