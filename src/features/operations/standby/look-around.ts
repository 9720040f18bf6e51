// What a standby sees beside its primary: whether somebody in another network sees that, and the earlier standby.
import type { StandbySight, StandbyState } from "../../../domain/operations/standby.ts";
import { joinUrl } from "../../../domain/shared/urls.ts";
import type { StandbyReport } from "../../rpc.ts";
import type { BackupKeys } from "../backup/backup-seal.ts";

/** How long a question to another deployment may take (ms). */
export const TIMEOUT_MS = 10_000;

const ask = (url: string, init = {}) =>
  fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual", ...init }).catch(
    () => null,
  );

/** What others see. Nobody is asked while the primary answers, except of a take-over. */
export async function lookAround(
  { STANDBY_PROBE, STANDBY_AFTER }: Cloudflare.Env,
  keys: BackupKeys,
  answers: boolean,
  role: StandbyState["role"],
): Promise<StandbySight> {
  const isAsked = !answers || role === "active";
  const outside = isAsked && STANDBY_PROBE ? await ask(STANDBY_PROBE) : null;
  await outside?.body?.cancel();
  const headers = { Authorization: `Bearer ${keys.token}` };
  const earlier =
    isAsked && STANDBY_AFTER ? await ask(joinUrl(STANDBY_AFTER, "/standby"), { headers }) : null;
  const report = earlier?.ok ? await earlier.json<StandbyReport>().catch(() => null) : null;
  return {
    answers,
    // A gateway says so of what is behind it; anything else says nothing.
    isSeenOutside: outside?.ok
      ? true
      : [502, 503, 504].includes(outside?.status ?? 0)
        ? false
        : null,
    earlier: report?.role ?? null,
  };
}
