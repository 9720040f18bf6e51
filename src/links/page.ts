// The pages that links in messages open: plain HTML that needs no script, asks no other host for anything and is
// never kept by a cache. Every value is escaped by the template.
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";

export type Html = ReturnType<typeof html>;

export type Page = {
  readonly status: 200 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 503;
  readonly title: string;
  readonly body: Html;
};

const STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --sheet: #fff; --ink: #1c1f26; --soft: #565c6b;
  --line: #d6d9e0; --go: #0b6b3a; --stop: #a01c1c; --plain: #2b4fa8; }
@media (prefers-color-scheme: dark) { :root { --ground: #14161b; --sheet: #1e2128; --ink: #eceef3; --soft: #a9b0c0;
  --line: #383d49; --go: #17834b; --stop: #c23b3b; --plain: #4468c9; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
section { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem;
  margin-bottom: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; }
h2 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: 0 0 .75rem; } p:last-child { margin-bottom: 0; }
.text { white-space: pre-wrap; max-height: 16rem; overflow: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem .75rem; margin: 0; }
dt, time, .soft { color: var(--soft); } dd { margin: 0; }
form { display: flex; flex-wrap: wrap; gap: .75rem; }
button { flex: 1 1 10rem; min-height: 3rem; padding: .5rem 1rem; border: 0; border-radius: .5rem; color: #fff;
  background: var(--plain); font: inherit; font-weight: 600; cursor: pointer; overflow-wrap: anywhere; }
button.go { background: var(--go); } button.stop { background: var(--stop); }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
ol { margin: 0; padding-left: 1.25rem; } li { margin-bottom: .375rem; }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
};

/** A page as an answer. */
export async function respondPage({ status, title, body }: Page): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Tocsin</title>
<style>${raw(STYLE)}</style>
</head>
<body><main>${body}</main></body>
</html>
`;
  const response = new Response(String(text), { status, headers: HEADERS });
  if (status === 429 || status === 503) response.headers.set("Retry-After", "10");
  return response;
}

/** A page that only says something. */
export function messagePage(status: Page["status"], title: string, message: string): Page {
  return {
    status,
    title,
    body: html`<section role="status"><h1>${title}</h1><p>${message}</p></section>`,
  };
}

/** A button of a form: what is sent is `action`. */
export function button(action: string, label: string, kind: "go" | "stop" | "plain"): Html {
  return html`<button name="action" value="${action}" class="${kind}">${label}</button>`;
}

/** An instant (epoch ms) as people and machines read it: UTC, to the minute. */
export function moment(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`;
}
