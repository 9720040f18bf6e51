// The signed tokens in the requests of Google Chat and Teams: JSON Web Tokens in the header
// `Authorization`, signed by the maker of the product for one app. The keys are kept here and not by jose's
// remote set: that one takes a set of any size, fails while it cannot be read, although its keys are known, and
// tries again for every request.
import { decodeProtectedHeader, type JWK, jwtVerify } from "jose";
import { readStart } from "../../../domain/integrations/response-start.ts";
import { parseJson, stringOf, valueAt } from "../../../domain/shared/json.ts";
import { HOUR, MINUTE, SECOND } from "../../../domain/shared/time.ts";

/** How far our clocks may differ (seconds). */
const TOLERANCE = 300;

/** How long keys are kept, and how long before they are read again for a key that they lack (ms). */
const KEPT_MS = 12 * HOUR;
const AGAIN_MS = MINUTE;
const TIMEOUT_MS = 2_000;

/** How long after a failed reading no other is tried (ms): anybody can cause one. */
const FAILED_MS = 5 * SECOND;

/** How long the tokens of makers that sign no bodies are valid (ms), and so a request captured with one. */
export const TOKEN_MS = HOUR;

const MAX_KEYS = 524_288;

type Key = JWK & { readonly kid: string };
type Keys = { readonly keys: readonly Key[]; readonly readAt: number };

const known = new Map<string, Keys>();
const failedAt = new Map<string, number>();

const isKey = (value: unknown): value is Key =>
  typeof value === "object" && value !== null && typeof valueAt(value, "kid") === "string";

/** Null if they cannot be read. */
async function fetchKeys(url: string): Promise<readonly Key[] | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { redirect: "manual", signal });
    const { text } = await readStart(response, MAX_KEYS);
    const keys = valueAt(parseJson(text), "keys");
    return response.ok && Array.isArray(keys) ? keys.filter(isKey) : null;
  } catch {
    return null;
  }
}

/** The key with an id; `unknown` if it may be one that cannot be read now. */
async function keyWith(url: string, kid: string, now: number): Promise<Key | null | "unknown"> {
  const found = () => known.get(url)?.keys.find((it) => it.kid === kid) ?? null;
  const age = now - (known.get(url)?.readAt ?? Number.NEGATIVE_INFINITY);
  const key = found();
  if (age < AGAIN_MS || (key !== null && age < KEPT_MS)) return key;
  if (now - (failedAt.get(url) ?? Number.NEGATIVE_INFINITY) < FAILED_MS) return key ?? "unknown";
  const keys = await fetchKeys(url);
  if (keys === null) {
    failedAt.set(url, now);
    return key ?? "unknown";
  }
  known.set(url, { keys, readAt: now });
  return found();
}

/** What a token is verified against. */
export type TokenTrust = {
  /** The URL of the maker's keys: a JSON Web Key Set. */
  readonly keysUrl: string;
  readonly issuer: string;
  /** The app for which it is. */
  readonly audience: string;
};

export type SignedToken = {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The key that has signed it. */
  readonly key: Readonly<Record<string, unknown>>;
};

/** The key with which a token says that it is signed; empty if it is no token, or names none. */
function keyIdOf(token: string): string {
  try {
    return stringOf(decodeProtectedHeader(token).kid);
  } catch {
    return "";
  }
}

/**
 * Verifies the token of a request (RS256). Never throws.
 *
 * @returns null for a token that is none, of others, for others or not valid now; `unknown` if the
 *   maker's keys cannot be read
 */
export async function readSignedToken(
  headers: Headers,
  { keysUrl, issuer, audience }: TokenTrust,
  now: number,
): Promise<SignedToken | null | "unknown"> {
  const [, token = ""] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const kid = keyIdOf(token);
  if (kid === "") return null;
  const key = await keyWith(keysUrl, kid, now);
  if (key === null || key === "unknown") return key;
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer,
      audience,
      algorithms: ["RS256"],
      requiredClaims: ["exp"],
      clockTolerance: TOLERANCE,
      currentDate: new Date(now),
    });
    return { claims: payload, key };
  } catch {
    return null;
  }
}
