// Counts in D1 what became of an integration's events. Not deployed.
import { PROBE } from "./probe-id.ts";

/** Counts an integration's alerts, logs and pages in D1, without those of the probes' alert. */
export async function countRecords(env: Cloudflare.Env, integrationId: string) {
  const [alerts, logs, pages] = await env.DB.batch<Record<string, number>>([
    env.DB.prepare(`select count(*) as alerts, coalesce(sum(1 + dedup_count), 0) as events,
      count(distinct thirdparty_id) as ids from alerts
      where source_id = ? and thirdparty_id <> ?`).bind(integrationId, PROBE),
    env.DB.prepare(`select count(*) as logs from logs where owner_id = ?1 and alert_id is not (
      select id from alerts where source_id = ?1 and thirdparty_id = ?2)`).bind(
      integrationId,
      PROBE,
    ),
    env.DB.prepare(`select count(*) as pages, coalesce(sum(status = 'queued'), 0) as waiting,
        coalesce(sum(status = 'sent'), 0) as sent, coalesce(sum(attempts > 1), 0) as repeated,
        count(distinct effect_id || channel || "to") as effects,
        count(distinct provider_id) as messages from notifications
      where alert_id in (select id from alerts where source_id = ?)`).bind(integrationId),
  ]);
  return { ...alerts?.results[0], ...logs?.results[0], ...pages?.results[0] };
}
