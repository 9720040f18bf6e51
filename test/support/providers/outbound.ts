// What the worker asks of other servers, answered by stand-ins of the tests': by host, all requests recorded. Put back
// by `vi.restoreAllMocks()`.
import { vi } from "vitest";

export type Outgoing = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Aborted when who asks gives up. */
  readonly signal: AbortSignal | null;
  /** `follow` unless it says otherwise. */
  readonly redirect: string;
};

type Server = (request: Outgoing) => Response | Promise<Response>;

const servers = new Map<string, Server>();

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input as RequestInfo, init);
  const url = new URL(request.url);
  const server = servers.get(url.host);
  // As for a name that nobody has.
  if (server === undefined) throw new TypeError(`no such host: ${url.host}`);
  const { method, headers } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  const redirect = init?.redirect ?? "follow";
  return server({ method, url, headers, body, signal: init?.signal ?? null, redirect });
}

/** Lets a server answer at a host until the test's mocks are restored; every other host is unknown. */
export function serveAt(host: string, server: Server): void {
  servers.set(host, server);
  if (vi.isMockFunction(globalThis.fetch)) return;
  servers.clear();
  servers.set(host, server);
  vi.spyOn(globalThis, "fetch").mockImplementation(answer as typeof fetch);
}

/** A server that never answers: what asks it fails when its patience ends. */
export const neverAnswers: Server = ({ signal }) =>
  new Promise((_, fail) => {
    if (signal?.aborted) fail(signal.reason);
    signal?.addEventListener("abort", () => fail(signal.reason));
  });

/** A connection that is lost. */
export const connectionLost: Server = () => {
  throw new TypeError("network connection lost");
};
