// The worker as `npm run serve` runs it: the same entrances, its queue in lanes, log lines that are JSON, and an entrance for
// mail, which the host process receives.
import { WorkerEntrypoint } from "cloudflare:workers";
import worker from "../../index.ts";
import { throughLanes } from "./lanes.ts";

export * from "../../index.ts";
export default {
  ...worker,
  queue: (batch, env, context) =>
    throughLanes(batch, { ...env }, () => worker.queue(batch, env, context)),
} satisfies ExportedHandler<Cloudflare.Env>;

const LEVELS = ["debug", "log", "info", "warn", "error"] as const;

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : value instanceof Error
      ? (value.stack ?? String(value))
      : JSON.stringify(value);

// An object that is logged becomes one line of JSON, which the host process reads again.
for (const level of LEVELS) {
  const write = console[level].bind(console);
  console[level] = (...values: readonly unknown[]) => write(values.map(textOf).join(" "));
}

/** What becomes of a message: its sender is told, or its server is to try again later. */
export type MailOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "temporary" };

/** Takes a message: `POST /?from=…&to=…` with its source as the body. Only the host process reaches it. */
export class MailEntrance extends WorkerEntrypoint<Cloudflare.Env> {
  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const source = await request.bytes();
    let reason: string | null = null;
    const message = {
      from: searchParams.get("from") ?? "",
      to: searchParams.get("to") ?? "",
      raw: new Blob([source]).stream(),
      rawSize: source.byteLength,
      setReject: (text: string) => {
        reason = text;
      },
    };
    try {
      // Headers, replies and forwards are of no use to the receiver.
      await worker.email(message as ForwardableEmailMessage, this.env);
    } catch (error) {
      console.warn({ message: "a mail is to be sent again", error: String(error) });
      return Response.json({ kind: "temporary" } satisfies MailOutcome);
    }
    const outcome: MailOutcome =
      reason === null ? { kind: "accepted" } : { kind: "rejected", reason };
    return Response.json(outcome);
  }
}
