// What a reading of an import's calendar would change, without a change.
import type { PreviewedImport } from "../../rpc.ts";
import { type DecidedReading, decideReading } from "./decide-reading.ts";
import { fetchSource } from "./fetch-calendar.ts";

/** Reads the calendar, and decides; or why it cannot be read: a sentence without an end. */
export async function previewReading(
  env: Cloudflare.Env,
  source: PreviewedImport,
): Promise<DecidedReading | { readonly reason: string }> {
  const fetched = await fetchSource(env, source, null);
  if (fetched.kind === "failed") return { reason: fetched.reason };
  // Without validators the whole calendar is sent.
  if (fetched.kind === "unchanged") return { reason: "the calendar was not sent" };
  return decideReading(env.DB, source, fetched.text, Date.now());
}
