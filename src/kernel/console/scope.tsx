// The switch of a list between what is the viewer's own, what is their teams', and all. The last
// choice is remembered by page in a cookie.
import type { Context } from "hono";
import type { Environment } from "../http/serve.ts";
import { type CookieName, putCookie, REMEMBERED_SECONDS, readCookie } from "./cookies.ts";
import { Segments, withQuery } from "./filters.tsx";
import { useViewer } from "./viewer.tsx";

const SCOPES = ["mine", "teams", "all"] as const;
export type ListScope = (typeof SCOPES)[number];

const LABELS: Readonly<Record<ListScope, string>> = { mine: "Mine", teams: "My teams", all: "All" };

/**
 * The scope that the query string or else the cookie asks for; stores one of the query string in the
 * cookie.
 *
 * @param initial without either
 */
export function scopeOf(
  context: Context<Environment>,
  cookie: Extract<CookieName, `${string}_scope`>,
  initial: ListScope,
): ListScope {
  const asked = SCOPES.find((it) => it === context.req.query("scope"));
  if (asked) putCookie(context, cookie, asked, REMEMBERED_SECONDS);
  const remembered = readCookie(context, cookie);
  return asked ?? SCOPES.find((it) => it === remembered) ?? initial;
}

export const ScopeChips = ({
  scope,
  counts,
}: {
  readonly scope: ListScope;
  readonly counts: Readonly<Record<ListScope, number>>;
}) => {
  const { url } = useViewer();
  const links = SCOPES.map((value) => ({
    ...{ to: withQuery(url, { scope: value, page: null, q: null }), label: LABELS[value] },
    ...{ count: counts[value], isCurrent: value === scope },
  }));
  return <Segments label="Whose" links={links} />;
};
