// Opens links in messages like a browser without scripts, and presses buttons.
import { exports } from "cloudflare:workers";

export type Opened = {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The visible text. */
  readonly text: string;
  /** The values of its buttons. */
  readonly buttons: readonly string[];
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The text of HTML, without tags and with decoded entities. */
function textOf(html: string): string {
  return html
    .replace(/<(style|title)>[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
}

async function request(url: string, init: RequestInit): Promise<Opened> {
  const response = await exports.default.fetch(url, { ...init, redirect: "manual" });
  const html = await response.text();
  const buttons = [...html.matchAll(/<button name="action" value="([^"]*)"/g)].map((it) => it[1]);
  const { status, headers } = response;
  return { status, headers, html, text: textOf(html), buttons: buttons as string[] };
}

/** Opens a link. */
export const open = (url: string, method = "GET"): Promise<Opened> => request(url, { method });

/** Presses a button of the page that a link opens. */
export const press = (url: string, action: string): Promise<Opened> =>
  request(url, { method: "POST", body: new URLSearchParams({ action }) });
