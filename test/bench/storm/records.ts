// Counts in D1 what became of an integration's events. Not deployed.

/** Counts an integration's alerts, logs and pages in D1. */
export async function countRecords(env: Cloudflare.Env, integrationId: string) {
  const [alerts, logs, pages] = await env.DB.batch<Record<string, number>>([
    env.DB.prepare(`select count(*) as alerts, coalesce(sum(1 + dedup_count), 0) as events,
      count(distinct thirdparty_id) as ids from alerts where source_id = ?`).bind(integrationId),
    env.DB.prepare("select count(*) as logs from logs where owner_id = ?").bind(integrationId),
    env.DB.prepare(`select count(*) as pages, coalesce(sum(status = 'queued'), 0) as waiting,
        coalesce(sum(status = 'sent'), 0) as sent, coalesce(sum(attempts > 1), 0) as repeated,
        count(distinct effect_id || channel || "to") as effects,
        count(distinct provider_id) as messages from notifications
      where alert_id in (select id from alerts where source_id = ?)`).bind(integrationId),
  ]);
  return { ...alerts?.results[0], ...logs?.results[0], ...pages?.results[0] };
}
