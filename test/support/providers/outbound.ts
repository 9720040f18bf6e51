// Routes the worker's outgoing requests to fake servers, by host. `vi.restoreAllMocks()` restores
// `fetch`.
import { vi } from "vitest";

export type Outgoing = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Aborted when the caller's timeout ends. */
  readonly signal: AbortSignal | null;
  /** `follow` by default. */
  readonly redirect: string;
};

type Server = (request: Outgoing) => Response | Promise<Response>;

const servers = new Map<string, Server>();

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input as RequestInfo, init);
  const url = new URL(request.url);
  const server = servers.get(url.host);
  // Fails like an unknown host name.
  if (server === undefined) throw new TypeError(`no such host: ${url.host}`);
  const { method, headers } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  const redirect = init?.redirect ?? "follow";
  return server({ method, url, headers, body, signal: init?.signal ?? null, redirect });
}

/** Serves a host until the test's mocks are restored; all other hosts are unknown. */
export function serveAt(host: string, server: Server): void {
  servers.set(host, server);
  if (vi.isMockFunction(globalThis.fetch)) return;
  servers.clear();
  servers.set(host, server);
  vi.spyOn(globalThis, "fetch").mockImplementation(answer as typeof fetch);
}

/** Whether a test serves a host. */
export const isServed = (host: string): boolean =>
  vi.isMockFunction(globalThis.fetch) && servers.has(host);

/** A server that never responds: requests fail when their timeout ends. */
export const neverAnswers: Server = ({ signal }) =>
  new Promise((_, fail) => {
    if (signal?.aborted) fail(signal.reason);
    signal?.addEventListener("abort", () => fail(signal.reason));
  });

/** A server whose connections are lost. */
export const connectionLost: Server = () => {
  throw new TypeError("network connection lost");
};
