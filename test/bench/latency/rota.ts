// A schedule with somebody on call now and any number of past events.

type Post = (path: string, body: unknown) => Promise<Record<string, string>>;

/** Number of events created concurrently. */
const CONCURRENCY = 20;

/** Creates the schedule through the API; returns its id. */
export async function makeRota(api: Post, people: readonly string[], dead: number) {
  const schedule = await api("/schedules", { name: `Rota after ${dead} events` });
  const event = (start: number, end: number) =>
    api("/events", {
      start_datetime: new Date(start).toISOString(),
      end_datetime: new Date(end).toISOString(),
      layer: 1,
      time_zone: "UTC",
      schedule_ids: [schedule.id],
      account_user_ids: people,
    });
  await event(Date.now() - 3_600_000, Date.now() + 86_400_000);
  for (let created = 0; created < dead; created += CONCURRENCY) {
    const start = Date.UTC(2020, 0, 1) + created * 3_600_000;
    await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, i) =>
        event(start + i * 60_000, start + (i + 1) * 60_000),
      ),
    );
  }
  return schedule.id ?? "";
}
