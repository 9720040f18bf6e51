// An inbox is told of changes of its integration from when its first event is recorded in D1, which the sender does not
// wait for.
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";

/** Waits until the first event of an integration (its ULID) is recorded. `patience` in ms. */
export const waitForFirstEvent = (id: string, patience: number) =>
  vi.waitFor(async () => {
    const row = await env.DB.prepare("select received_at from integrations where id = ?")
      .bind(id)
      .first<{ received_at: number | null }>();
    expect(row?.received_at).toBeTypeOf("number");
  }, patience);
