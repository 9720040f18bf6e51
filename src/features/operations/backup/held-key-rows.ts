// The dedup keys of alerts that are not resolved, which their objects hold.

export type HeldKey = {
  readonly accountId: string;
  readonly alertId: string;
  readonly key: string;
};

/** Reads all of them, of the oldest alerts first: these hold the keys. */
export async function readHeldKeys(db: D1Database): Promise<HeldKey[]> {
  const text = `select account_id as accountId, alerts.id as alertId, keys.value as key
    from alerts, json_each(alerts.dedup_keys) as keys
    where status <> 'resolved' order by alerts.id`;
  return (await db.prepare(text).all<HeldKey>()).results;
}
