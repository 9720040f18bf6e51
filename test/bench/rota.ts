// A schedule with somebody on call now, and as many events as asked for that ended long ago.

type Post = (path: string, body: unknown) => Promise<Record<string, string>>;

/** Events made at once. */
const AT_ONCE = 20;

/** Makes the schedule through the API; returns its id. */
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
  for (let made = 0; made < dead; made += AT_ONCE) {
    const start = Date.UTC(2020, 0, 1) + made * 3_600_000;
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        event(start + i * 60_000, start + (i + 1) * 60_000),
      ),
    );
  }
  return schedule.id ?? "";
}
