// A line to a server, with faults: what hangs, answers 503, answers late, is cut, or carries requests but no answers.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type LineFault = "hanging" | "unavailable" | "late" | "cut" | "one way";

export type Line = {
  readonly url: string;
  /** What is wrong with it; null: nothing. */
  fault: LineFault | null;
  /** How many requests meet a fault, after which there is none. */
  remaining: number;
  readonly close: () => void;
};

/**
 * Opens a line to a server. As a gateway, it answers 502 where the server cannot be reached, and 504 where it does
 * not answer in time.
 */
export async function openLine(
  target: string,
  { lateMs = 0, timeoutMs = 600_000 } = {},
): Promise<Line> {
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, isAnswered = true) => {
    const { method, url, headers } = incoming;
    const sent = request(`${target}${url}`, { method, headers }, (answer) => {
      if (!isAnswered) return void answer.resume();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on("error", () => outgoing.destroy());
    });
    const timeout = setTimeout(() => {
      if (!outgoing.headersSent) outgoing.writeHead(504).end();
      sent.destroy();
    }, timeoutMs);
    sent.on("close", () => clearTimeout(timeout));
    sent.on("error", () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    incoming.pipe(sent);
  };
  const server = createServer((incoming, outgoing) => {
    const { fault } = line;
    if (fault !== null) line.remaining -= 1;
    if (line.remaining <= 0) Object.assign(line, { fault: null, remaining: Infinity });
    if (fault === "cut") incoming.socket.destroy();
    else if (fault === "unavailable") outgoing.writeHead(503).end();
    else if (fault === "late") setTimeout(() => forward(incoming, outgoing), lateMs);
    else if (fault !== "hanging") forward(incoming, outgoing, fault !== "one way");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const line: Line = {
    url: `http://127.0.0.1:${port}`,
    fault: null,
    remaining: Infinity,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return line;
}
