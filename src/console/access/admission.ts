// Access control of the console's pages and actions: they require a session, actions also the
// session's form token, and the first password must be replaced before anything else.
import { refuse } from "../../domain/shared/refusal.ts";
import { formToken } from "../../kernel/console/form-token.ts";
import { currentPage } from "../../kernel/console/go-to.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import type { Route } from "../../kernel/http/route.ts";
import { isSameSecret } from "../../kernel/same-secret.ts";
import { apiFor } from "../api.ts";
import type { ConsolePage, Guest } from "../page.ts";

/** The only page that is open until the first password is replaced. */
const CHOOSE_PASSWORD = "/password";
const OPEN_PATHS = [CHOOSE_PASSWORD, "/sign-out"];

const STALE_FORM = refuse("forbidden", "this form has expired; reload the page and try again");

/** Redirects to the sign-in page; afterwards the browser returns to the page that it requested. */
export function signInFirst({ context, url }: Pick<Guest, "context" | "url">): Reply {
  const target = currentPage(context, url);
  const back = target !== null && target !== "/" ? `?to=${encodeURIComponent(target)}` : "";
  return { kind: "goto", to: `/sign-in${back}` };
}

/**
 * Runs a page or an action if the request is allowed to. A page view counts once against the rate
 * limit, which its caller has already done.
 */
export async function handlePage(
  routes: readonly Route[],
  page: ConsolePage,
  guest: Guest,
): Promise<Reply> {
  if (page.open) return page.handle(guest);
  const { session, url } = guest;
  if (session === null) return signInFirst(guest);
  const hasFormToken = isSameSecret(textOf(guest.form, "form_token"), formToken(session.token));
  if (page.method === "POST" && !hasFormToken) return STALE_FORM;
  if (session.mustChoosePassword && !OPEN_PATHS.includes(url.pathname)) {
    return { kind: "goto", to: CHOOSE_PASSWORD };
  }
  const isCounted = page.method === "GET";
  return page.handle({ ...guest, session, api: apiFor(routes, guest, session, isCounted) });
}
