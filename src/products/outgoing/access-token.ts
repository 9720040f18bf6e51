// Access tokens of an app's calls, for products whose tokens expire after an hour or so (OAuth 2.0: RFC 6749,
// section 4.4, and RFC 7523). A token is kept in memory until shortly before it expires.
import { createHash } from "node:crypto";
import { valueAt } from "../../domain/shared/json.ts";
import { MINUTE } from "../../domain/shared/time.ts";

/** A request for a token: a `POST` with this form. */
export type TokenRequest = {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
};

/** Where an app's tokens come from. */
export type TokenSource = {
  /** The product's name. */
  readonly title: string;
  /** All that a token is obtained with: another value has another token. Never stored. */
  readonly credentials: readonly string[];
  /** The request for a token, or why the credentials are unusable. `now`: epoch ms. */
  readonly request: (now: number) => Promise<TokenRequest | string>;
};

/** The answer to a request for a token; null if there was none. */
export type TokenAnswer = { readonly status: number; readonly body: unknown } | null;

export type ObtainedToken =
  | { readonly kind: "token"; readonly token: string }
  /** `refused`: not before somebody changes the credentials. */
  | { readonly kind: "refused" | "again"; readonly reason: string };

/** A token is not used in its last minutes (ms). */
const MARGIN_MS = 5 * MINUTE;
/** How long a token is valid whose answer does not say it (ms). */
const DEFAULT_MS = 10 * MINUTE;
const MAX_TOKENS = 1_000;

const tokens = new Map<string, { readonly token: string; readonly until: number }>();

const keyOf = ({ title, credentials }: TokenSource): string =>
  createHash("sha256")
    .update(JSON.stringify([title, ...credentials]))
    .digest("hex");

/**
 * The token of an app: one in memory, or a new one.
 *
 * @param post sends the request
 * @param now epoch ms
 */
export async function obtainToken(
  source: TokenSource,
  post: (request: TokenRequest) => Promise<TokenAnswer>,
  now: number,
): Promise<ObtainedToken> {
  const key = keyOf(source);
  const known = tokens.get(key);
  if (known !== undefined && known.until > now) return { kind: "token", token: known.token };
  const request = await source.request(now);
  if (typeof request === "string") return { kind: "refused", reason: request };
  const answer = await post(request);
  const read = readToken(source.title, answer);
  if (read.kind !== "token") return read;
  if (tokens.size >= MAX_TOKENS) tokens.clear();
  const seconds = Number(valueAt(answer?.body, "expires_in"));
  const valid = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : DEFAULT_MS;
  tokens.set(key, { token: read.token, until: now + valid - MARGIN_MS });
  return read;
}

/** Forgets a token that was refused. */
export function forgetToken(token: string): void {
  for (const [key, known] of tokens) if (known.token === token) tokens.delete(key);
}

/** Reads an answer. Its body may repeat the credentials: only the error's name is passed on. */
function readToken(title: string, answer: TokenAnswer): ObtainedToken {
  if (answer === null) return { kind: "again", reason: `${title} gave no access token` };
  const { status, body } = answer;
  const token = valueAt(body, "access_token");
  if (status === 200 && typeof token === "string" && token !== "") return { kind: "token", token };
  const error = valueAt(body, "error");
  const name = typeof error === "string" && /^\w{1,60}$/.test(error) ? `: ${error}` : "";
  const reason = `${title} gave no access token: ${status}${name}`;
  // By the specification a refusal has a name; anything else is a failure of the server's.
  const isRefused = (status === 400 || status === 401) && name !== "";
  return { kind: isRefused ? "refused" : "again", reason };
}
