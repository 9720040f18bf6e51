// Sends a message by a messenger, and counts what its provider answers.
import { callProvider } from "../../../products/call-provider.ts";
import type { Sent } from "../../../products/channel.ts";
import type { Messenger, ProviderRequest } from "../../../products/messenger.ts";
import { countAnswer } from "./fail-over.ts";

/** Makes the request, and classifies and counts the answer. */
export async function deliver(
  env: Cloudflare.Env,
  messenger: Messenger,
  request: ProviderRequest,
): Promise<Sent> {
  const givenAt = Date.now();
  const sent = await deliverOnce(env, messenger, request);
  countAnswer(messenger.channel, messenger.channel, sent, givenAt);
  return sent;
}

async function deliverOnce(
  env: Cloudflare.Env,
  { title, read, refused }: Messenger,
  request: ProviderRequest,
): Promise<Sent> {
  const answer = await callProvider(env, request);
  if (answer === "forbidden") return { kind: "permanent", reason: "the URL may not be called" };
  if (answer === "unreachable") {
    return { kind: "temporary", reason: `${title} could not be reached` };
  }
  if (answer.status === 401) refused?.(request);
  return read(answer, Date.now());
}
