// What listens for requests. It passes them to the worker, which believes whatever it is told of the client: what only a proxy
// may say is taken from one that the operator has named, and never from a stranger.
import {
  Agent,
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { BlockList } from "node:net";
import type { Duplex } from "node:stream";
import { clientAddress } from "./client-address.ts";
import { log } from "./log.ts";

/** Headers that are about one connection. */
const OF_CONNECTION =
  /^(?:connection|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;
/** Headers by which proxies and the platform name the client, or address the runtime itself. */
const OF_CLIENT = /^(?:cf-.*|mf-.*|forwarded|true-client-ip|x-forwarded-.*|x-real-ip)$/;

/** The runtime closes a connection that was idle for five seconds; it is not used again shortly before. */
const IDLE_MS = 3_000;
/** The same for its clients: proxies keep connections for up to two minutes, and a request may come at their end. */
const CLIENT_IDLE_MS = 125_000;
/** How long a request in progress may take once it is stopped (ms). */
const STOP_MS = 5_000;

const UNAVAILABLE = JSON.stringify({ errors: [{ message: "unavailable; send it again" }] });

export type FrontOptions = {
  readonly host: string;
  readonly port: number;
  /** Where the worker takes requests. */
  readonly worker: URL;
  readonly proxies: BlockList;
};

/** The header lines without those that a pattern names, or that `Connection` does. */
function passedHeaders(message: IncomingMessage, ...left: readonly RegExp[]): string[] {
  const named = (message.headers.connection ?? "").toLowerCase().split(/[\s,]+/);
  const passed: string[] = [];
  for (let i = 0; i < message.rawHeaders.length; i += 2) {
    const [name = "", value = ""] = message.rawHeaders.slice(i, i + 2);
    const lower = name.toLowerCase();
    if (named.includes(lower) || left.some((it) => it.test(lower))) continue;
    passed.push(name, value);
  }
  return passed;
}

/** The URL that the client has asked for; null if it asks for none. */
function urlOf({ url = "", headers }: IncomingMessage): string | null {
  // Whoever says https over http harms nobody but themselves; a proxy must be able to say it before it is named.
  const isHttps = /^https\b/.test(String(headers["x-forwarded-proto"]));
  const scheme = isHttps ? "https" : "http";
  if (!url.startsWith("/") || !URL.canParse(`${scheme}://${headers.host}${url}`)) return null;
  return `${scheme}://${headers.host}${url}`;
}

/** Starts the request to the worker; null if it is none. */
function pass(incoming: IncomingMessage, options: FrontOptions, agent: Agent | undefined) {
  const path = urlOf(incoming);
  if (path === null) return null;
  const { worker, proxies } = options;
  const forwardedFor = incoming.headers["x-forwarded-for"];
  const client = clientAddress(
    incoming.socket.remoteAddress ?? "",
    Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
    proxies,
  );
  const isUpgrade = incoming.headers.upgrade !== undefined;
  const headers = [
    ...passedHeaders(incoming, OF_CONNECTION, OF_CLIENT),
    ...["cf-connecting-ip", client],
    ...(isUpgrade ? ["connection", "Upgrade", "upgrade", incoming.headers.upgrade ?? ""] : []),
  ];
  return sendRequest({
    ...{ host: worker.hostname, port: worker.port, method: incoming.method, path, headers },
    ...(agent && { agent }),
  });
}

function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: FrontOptions,
  agent: Agent,
) {
  const passed = pass(incoming, options, agent);
  if (passed === null) return void outgoing.writeHead(400).end();
  passed.on("response", (response) => {
    const { statusCode = 502, statusMessage } = response;
    outgoing.writeHead(statusCode, statusMessage, passedHeaders(response, OF_CONNECTION));
    response.pipe(outgoing);
    response.on("error", () => outgoing.destroy());
  });
  passed.on("error", (error) => {
    if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
    log("warn", "the worker did not answer a request", { error: error.message });
    outgoing
      .writeHead(503, { "Content-Type": "application/json", "Retry-After": "5" })
      .end(UNAVAILABLE);
  });
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}

/** Passes a connection on that becomes a WebSocket. */
function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, options: FrontOptions) {
  const passed = pass(incoming, options, undefined);
  const end = () => socket.destroy();
  socket.on("error", end);
  if (passed === null) return end();
  const writeHead = ({ statusCode, statusMessage }: IncomingMessage, lines: readonly string[]) => {
    const pairs = lines.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${lines[i + 1]}\r\n`] : []));
    socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${pairs.join("")}\r\n`);
  };
  passed.on("upgrade", (response, worker, first) => {
    writeHead(response, response.rawHeaders);
    worker.write(head);
    socket.write(first);
    worker.on("error", end).on("close", end).pipe(socket);
    socket.on("close", () => worker.destroy()).pipe(worker);
  });
  passed.on("response", (response) => {
    writeHead(response, [...passedHeaders(response, OF_CONNECTION), "Connection", "close"]);
    response.pipe(socket);
  });
  passed.on("error", end);
  passed.end();
}

/** Listens. Resolves once it does, with what stops it; rejects if it cannot. */
export async function startFront(options: FrontOptions): Promise<() => Promise<void>> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const server = createServer((incoming, outgoing) => answer(incoming, outgoing, options, agent));
  server.keepAliveTimeout = CLIENT_IDLE_MS;
  server.on("upgrade", (incoming, socket, head) => upgrade(incoming, socket, head, options));
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(options.port, options.host, done);
  });
  return () =>
    new Promise((done) => {
      server.close(() => done());
      setTimeout(() => server.closeAllConnections(), STOP_MS).unref();
    });
}
