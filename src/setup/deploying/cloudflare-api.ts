// Cloudflare's API, for what wrangler has no machine-readable command for: looking up and creating resources. Signed in as
// wrangler is.
import { runWrangler } from "../processes/wrangler.ts";

/** Cloudflare refused: its status, its code, and its words. */
export type ApiRefusal = {
  readonly status: number;
  readonly code: number;
  readonly message: string;
};

type Answer<Result> =
  | { readonly result: Result; readonly refusal?: never }
  | { readonly refusal: ApiRefusal };

type Headers = Readonly<Record<string, string>>;

export type CloudflareClient = {
  readonly get: <Result>(path: string, headers?: Headers) => Promise<Answer<Result>>;
  readonly post: <Result>(path: string, body: object, headers?: Headers) => Promise<Answer<Result>>;
};

type Envelope<Result> = {
  readonly success?: boolean;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
  readonly result?: Result;
};

const base = () => process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";

const PATIENCE_MS = 30_000;

async function call<Result>(
  headers: Headers,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Result>> {
  const response = await fetch(`${base()}${path}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  let envelope: Envelope<Result> = {};
  try {
    envelope = JSON.parse(text);
  } catch {
    // A page of a proxy, not of the API.
  }
  if (response.ok && envelope.success && envelope.result !== undefined) {
    return { result: envelope.result };
  }
  const { code = 0, message = `HTTP ${response.status}` } = envelope.errors?.[0] ?? {};
  return { refusal: { status: response.status, code, message } };
}

/** The headers of the credentials that wrangler uses: a token, or a key with its address. */
async function credentials(): Promise<Headers | null> {
  const { code, output } = await runWrangler(["auth", "token", "--json"]);
  if (code !== 0) return null;
  const found = JSON.parse(output);
  if (typeof found.token === "string") return { authorization: `Bearer ${found.token}` };
  if (typeof found.key === "string" && typeof found.email === "string") {
    return { "x-auth-key": found.key, "x-auth-email": found.email };
  }
  return null;
}

/** A client signed in as wrangler is; null if it is not signed in. */
export async function signIn(): Promise<CloudflareClient | null> {
  const signed = await credentials();
  if (signed === null) return null;
  return {
    get: (path, headers) => call({ ...signed, ...headers }, "GET", path),
    post: (path, body, headers) => call({ ...signed, ...headers }, "POST", path, body),
  };
}
