// The pages that links in messages open: plain HTML without scripts or external resources, never
// cached. JSX escapes every value.
import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { coloursCss } from "../../../domain/shared/palette.ts";
import { INSTANT_IN_TEXT } from "../../../domain/shared/time.ts";

export type LinkPage = {
  readonly status: 200 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 503;
  readonly title: string;
  readonly body: Child;
};

const COLOURS = coloursCss([
  ...(["ground", "sheet", "raised", "ink", "soft", "line", "strong-line", "accent"] as const),
  ...(["accent-ink", "bad", "bad-ground", "good", "good-ground", "focus"] as const),
]);

/** Inlined, so that a page needs no other request; it looks like the console. */
const STYLE = `${COLOURS}
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
header, main { max-width: 36rem; margin: 0 auto; padding: 1.25rem 1rem 0; }
header { display: flex; align-items: center; gap: .5rem; font-weight: 700; }
header svg { width: 1.375rem; height: 1.375rem; color: var(--bad); }
main { padding-bottom: 3rem; }
section { background: var(--sheet); border: 1px solid var(--line); border-radius: .625rem; padding: 1.125rem;
  margin-bottom: 1rem; box-shadow: 0 1px 2px rgb(16 24 40 / 5%); }
.good { background: var(--good-ground); border-color: var(--good); }
.bad { background: var(--bad-ground); border-color: var(--bad); }
.good h1 { color: var(--good); } .bad h1 { color: var(--bad); }
h1 { font-size: 1.375rem; line-height: 1.3; letter-spacing: -.015em; margin: 0 0 .5rem; }
section[role] h1 { font-size: 1.125rem; }
h2 { font-size: 1rem; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; } p:last-child { margin-bottom: 0; }
.links { display: flex; flex-wrap: wrap; gap: .5rem; }
.links a { padding: .5rem .875rem; border: 1px solid var(--strong-line); border-radius: .5rem; color: var(--ink);
  font-weight: 600; text-decoration: none; }
.text { white-space: pre-wrap; max-height: 16rem; overflow: auto; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt, time, .soft { color: var(--soft); } dd { margin: 0; } dd time { color: inherit; }
form { display: flex; flex-wrap: wrap; gap: .625rem; }
button { flex: 1 1 9rem; min-height: 3.25rem; padding: .5rem 1rem; border: 1px solid var(--strong-line);
  border-radius: .5rem; color: var(--ink); background: var(--sheet); font: inherit; font-weight: 600; cursor: pointer;
  overflow-wrap: anywhere; }
button:hover { background: var(--raised); }
button.go { flex-grow: 2; border-color: transparent; background: var(--accent); color: var(--accent-ink); }
button.stop { border-color: var(--bad); color: var(--bad); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
ol { margin: 0; padding: 0; list-style: none; font-size: .9375rem; }
li { padding: .375rem 0; } li + li { border-top: 1px solid var(--line); } li time { display: block; font-size: .875rem; }
@media (max-width: 36rem) { section[aria-label="Answer"] { position: sticky; bottom: 0; z-index: 1;
  box-shadow: 0 -.25rem 1rem rgb(16 24 40 / 12%); } }
`;

const BELL = "M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6Zm-2.5 16a2.5 2.5 0 0 0 5 0";

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
};

const LinkDocument = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: Child;
}) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title} · Tocsin</title>
      <style>{raw(STYLE)}</style>
    </head>
    <body>
      <header>
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          stroke-width="1.8"
          stroke-linecap="round"
          stroke-linejoin="round"
          aria-hidden="true"
        >
          <path d={BELL} />
        </svg>
        Tocsin
      </header>
      <main>{children}</main>
    </body>
  </html>
);

/** Renders a page as a response. */
export async function respondPage({ status, title, body }: LinkPage): Promise<Response> {
  const text = await (<LinkDocument title={title}>{body}</LinkDocument>);
  const response = new Response(`<!doctype html>${text}`, { status, headers: HEADERS });
  if (status === 429 || status === 503) response.headers.set("Retry-After", "10");
  return response;
}

/** A page with a single message. */
export const messagePage = (
  status: LinkPage["status"],
  title: string,
  message: string,
): LinkPage => ({
  status,
  title,
  body: (
    <section role="status">
      <h1>{title}</h1>
      <p>{message}</p>
    </section>
  ),
});

/** What an answer has done; `children`: how it is taken back. */
export const Done = ({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children?: Child;
}) => (
  <section role="status" class="good">
    <h1>{title}</h1>
    <p>{text}</p>
    {children}
  </section>
);

/** Why an answer was refused. */
export const Refused = ({ why }: { readonly why: string }) => (
  <section role="alert" class="bad">
    <h1>Nothing was changed</h1>
    <p>{why}</p>
  </section>
);

/** The buttons of an answer, under a line that says who answers. */
export const Answer = ({ as, children }: { readonly as?: Child; readonly children: Child }) => (
  <section aria-label="Answer">
    {as}
    <form method="post">{children}</form>
  </section>
);

type ButtonProps = {
  readonly action: string;
  readonly label: string;
  readonly kind: "go" | "stop" | "plain";
};

/** A button that submits `action`. */
export const Button = ({ action, label, kind }: ButtonProps) => (
  <button name="action" value={action} class={kind} type="submit">
    {label}
  </button>
);

/** Formats the instants in a text for people. */
export const withTimes = (text: string): string =>
  text.replace(INSTANT_IN_TEXT, (it) => `${it.slice(0, 10)} ${it.slice(11, 16)} UTC`);

/** An instant (epoch ms), in UTC to the minute. */
export function Moment({ at }: { readonly at: number }) {
  const iso = new Date(at).toISOString();
  return <time datetime={iso}>{iso.slice(0, 16).replace("T", " ")} UTC</time>;
}
