// A question of a standby to its primary.
import { joinUrl } from "../../../domain/shared/urls.ts";
import type { BackupKeys } from "../backup/backup-seal.ts";
import { TIMEOUT_MS } from "./look-around.ts";

/** Asks. Throws if the primary does not answer, or only what is before it does. */
export async function askPrimary<Answer>(
  { STANDBY_OF }: Cloudflare.Env,
  keys: BackupKeys,
  step: string,
  body: object,
): Promise<{ readonly answer: Answer } | { readonly refused: string }> {
  const response = await fetch(joinUrl(STANDBY_OF, `/standby/${step}`), {
    method: "POST",
    headers: { Authorization: `Bearer ${keys.token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { ok, status } = response;
  if (ok) return { answer: await response.json<Answer>() };
  const text = (await response.text()).slice(0, 80);
  const reason = `${step}: ${status} ${status === 401 ? "BACKUP_KEY differs" : text}`;
  if (status >= 500) throw new Error(reason);
  return { refused: reason };
}
