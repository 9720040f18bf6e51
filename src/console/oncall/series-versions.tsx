// The versions of a series: each event that goes on with another one.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Event } from "../../features/oncall/events/contract.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import type { Visit } from "../page.ts";

/** The other versions of its series ("this and following"), each with a link. */
export const Versions = ({
  versions,
  now,
}: {
  readonly versions: readonly Event[];
  readonly now: number;
}) => (
  <ul>
    {versions.map(({ id, begins_at, start_datetime, time_zone }) => (
      <li>
        <a href={`/events/${id}`}>
          from <Moment at={begins_at ?? start_datetime} zone={time_zone} now={now} />
        </a>
      </li>
    ))}
  </ul>
);

/** The other versions of the event's series, in order. */
export async function readVersions({ api }: Visit, event: Event): Promise<readonly Event[]> {
  const [schedule] = event.schedule_ids;
  if (event.begins_at === null && event.terminated_at === null) return [];
  if (schedule === undefined) return [];
  const query = { id: schedule, series_id: event.series_id };
  const found = await api.every("/schedules/:id/events", query);
  if (isRefusal(found)) return [];
  const begin = ({ begins_at, start_datetime }: Event) => Date.parse(begins_at ?? start_datetime);
  return found
    .filter(({ id, parent_id }) => id !== event.id && parent_id === null)
    .toSorted((one, other) => begin(one) - begin(other));
}
