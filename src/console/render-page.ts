// Renders a page for a session in one round trip to the database. The session's row is read
// together with the page's data, using the browser's claim. If the row does not match the claim,
// everything read is discarded, the session is read from the primary, and the page is rendered
// again. Pages only read.

import { isRefusal } from "../domain/shared/refusal.ts";
import { SECOND } from "../domain/shared/time.ts";
import {
  cacheSession,
  extendSession,
  type FoundSession,
  findSession,
  forgetSessions,
  type Session,
} from "../features/access/sessions/session.ts";
import {
  type DeploymentNotice,
  readDeploymentNotice,
} from "../features/operations/audits/read-deployment-notice.ts";
import { dropCookie, readCookie } from "../kernel/console/cookies.ts";
import { isPartial } from "../kernel/console/go-to.ts";
import type { Reply } from "../kernel/console/reply.ts";
import { hashOfSecret } from "../kernel/credentials.ts";
import { type Connection, openSession } from "../kernel/db/database.ts";
import { readTogether } from "../kernel/db/reads-together.ts";
import { isKnownWrong, lookUpCredential } from "../kernel/http/failure-limit.ts";
import { checkRateLimit } from "../kernel/http/rate-limit.ts";
import type { Route } from "../kernel/http/route.ts";
import { handlePage, signInFirst } from "./access/admission.ts";
import { isAsClaimed, putClaim, readClaim, type SessionClaim } from "./access/claim.ts";
import { presentedSession } from "./access/session.ts";
import { NOTHING_UNCOVERED, readUncoveredFor, type Uncovered } from "./oncall/uncovered-notice.tsx";
import type { ConsolePage, Guest } from "./page.ts";

type PageRequest = Omit<Guest, "session">;
type Rendering = {
  readonly session: Session | null;
  readonly reply: Reply;
  /** Set for admins. */
  readonly deployment: DeploymentNotice | null;
  /** The teams without anybody on call; on the main pages. */
  readonly uncovered: Uncovered;
};

/** How long after its confirmation a session may be read from a replica, which may lag behind. */
const CLAIM_VALID_MS = 30 * SECOND;

/** Renders a page, and returns the session that it was rendered for. */
export async function renderPage(
  routes: readonly Route[],
  page: ConsolePage,
  request: PageRequest,
): Promise<Rendering> {
  const { context, now } = request;
  const token = readCookie(context, "session");
  if (token === null) return outside(signInFirst(request));
  const claim = isKnownWrong(hashOfSecret(token)) ? null : readClaim(context, token, now);
  const rendering = claim && (await renderWithClaim(routes, page, request, claim));
  return rendering ?? renderWithSession(routes, page, request, token);
}

/** A reply for somebody who is not signed in. */
const outside = (reply: Reply): Rendering => ({
  session: null,
  reply,
  deployment: null,
  uncovered: NOTHING_UNCOVERED,
});

/** Reads the notices about the deployment; null unless the person is an admin. */
const readDeployment = (db: Connection, env: Cloudflare.Env, { actor }: Session, now: number) =>
  actor.roles.admin ? readDeploymentNotice(db, env, now) : null;

/** Reads the teams to warn of; none for a part of a page, which does not show them. */
async function readUncovered(
  { context, url, now }: PageRequest,
  db: Connection,
  session: Session,
): Promise<Uncovered> {
  if (isPartial(context) || session.mustChoosePassword) return NOTHING_UNCOVERED;
  const hasChanged = readCookie(context, "seen") !== null;
  return readUncoveredFor(db, session, url.pathname, now, hasChanged);
}

/** Renders in one round trip; null if the claim does not match the session. */
async function renderWithClaim(
  routes: readonly Route[],
  page: ConsolePage,
  request: PageRequest,
  claim: SessionClaim,
): Promise<Rendering | null> {
  const { context, env, now } = request;
  const { token, actor } = claim.session;
  const isRecent = claim.confirmedAt > now - CLAIM_VALID_MS;
  const limited = await checkRateLimit(env, env.API_RATE, actor.credentialId);
  const db = readTogether(openSession(env.DB, readCookie(context, "seen"), !isRecent));
  const [found, rendered, deployment, uncovered] = await Promise.allSettled([
    findSession(db, token, now),
    limited ?? handlePage(routes, page, { ...request, db, session: claim.session }),
    readDeployment(db, env, claim.session, now),
    readUncovered(request, db, claim.session),
  ]);
  if (found.status === "rejected") throw found.reason;
  if (found.value === null || !isAsClaimed(found.value.session, claim)) return null;
  if (rendered.status === "rejected") throw rendered.reason;
  if (!isRecent) storeSession(request, found.value);
  return {
    session: found.value.session,
    reply: rendered.value,
    deployment: deployment.status === "fulfilled" ? deployment.value : null,
    uncovered: uncovered.status === "fulfilled" ? uncovered.value : NOTHING_UNCOVERED,
  };
}

/** Reads the session first, then renders: two round trips. */
async function renderWithSession(
  routes: readonly Route[],
  page: ConsolePage,
  request: PageRequest,
  token: string,
): Promise<Rendering> {
  const { context, env, now } = request;
  const found = await lookUpCredential(presentedSession(context, token), () =>
    findSession(openSession(env.DB, null, true), token, now),
  );
  if (isRefusal(found)) return outside(found);
  if (found === null) {
    forgetSessions((known) => known.token === token);
    dropCookie(context, "session");
    dropCookie(context, "claim");
    return outside(signInFirst(request));
  }
  storeSession(request, found);
  const { session } = found;
  const limited = await checkRateLimit(env, env.API_RATE, session.actor.credentialId);
  const db = readTogether(request.db);
  const [reply, deployment, uncovered] = await Promise.all([
    limited ?? handlePage(routes, page, { ...request, db, session }),
    readDeployment(db, env, session, now),
    readUncovered(request, db, session),
  ]);
  return { session, reply, deployment, uncovered };
}

/** Stores a session that the primary has confirmed: as claim, in the cache, and its last use. */
function storeSession({ context, env, now }: PageRequest, found: FoundSession): void {
  putClaim(context, found.session, now);
  cacheSession(found.session, now);
  context.executionCtx.waitUntil(extendSession(env.DB, found, now));
}
