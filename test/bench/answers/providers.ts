// Fake providers whose messages stay open until they are ended: Twilio (a ringing call), Pushover (an
// emergency) and Telegram (buttons). They record when each message was taken and ended.
import { createServer, type IncomingMessage } from "node:http";

export const ENDED = ["call hung up", "emergency cancelled", "buttons removed"] as const;
export type Ended = (typeof ENDED)[number];

export type Providers = {
  readonly url: string;
  /** Number of messages taken that can be ended. */
  taken: number;
  /** The text of the last message of any kind: it has the code that proves an address. */
  lastText: string;
  /** When messages were ended (epoch ms), since it was emptied. */
  readonly endedAt: Map<Ended, number>;
  readonly stop: () => void;
};

async function read(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

/** The response to a request by its path, and what it did. */
type Answer = { readonly body: unknown; readonly text?: string; readonly ended?: Ended };

function answerTo(path: string, body: Record<string, string>, id: string): Answer | null {
  if (/\/Calls\/CA\w+\.json$/.test(path)) return { body: { sid: id }, ended: "call hung up" };
  if (/\/receipts\/\w+\/cancel\.json$/.test(path)) {
    return { body: { status: 1 }, ended: "emergency cancelled" };
  }
  if (path.endsWith("/editMessageText")) {
    return { body: { ok: true, result: true }, ended: "buttons removed" };
  }
  if (path.endsWith("/Messages.json")) return { body: { sid: `SM${id}` }, text: body.Body ?? "" };
  if (path.endsWith("/Calls.json")) return { body: { sid: `CA${id}` }, text: body.Twiml ?? "" };
  if (path.endsWith("/messages.json")) {
    const receipt = body.priority === "2" && { receipt: id.padEnd(30, "0") };
    return { body: { status: 1, ...receipt }, text: `${body.title} ${body.message}` };
  }
  if (path.endsWith("/sendMessage")) {
    const result = { message_id: Number(id), chat: { id: Number(body.chat_id) } };
    return { body: { ok: true, result }, text: body.text ?? "" };
  }
  if (path.endsWith("/getMe")) return { body: { ok: true, result: { username: "tocsin_bot" } } };
  if (path.endsWith("/setWebhook")) return { body: { ok: true, result: true } };
  return null;
}

export async function startProviders(): Promise<Providers> {
  let ids = 0;
  const server = createServer(async (request, response) => {
    const body = await read(request);
    ids += 1;
    const answer = answerTo(request.url ?? "", body, String(ids));
    if (answer?.text !== undefined) {
      providers.lastText = answer.text;
      providers.taken += 1;
    }
    if (answer?.ended !== undefined) providers.endedAt.set(answer.ended, Date.now());
    response.writeHead(answer === null ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer?.body ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const providers: Providers = {
    url: `http://127.0.0.1:${port}`,
    taken: 0,
    lastText: "",
    endedAt: new Map(),
    stop: () => server.close(),
  };
  return providers;
}
