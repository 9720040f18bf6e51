// The result of a replay: what the rules as edited would have done with past events, beside what
// the stored ones do.
import type { ReplayedEvent, RouterReplay } from "../../features/routing/routers/contract.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Table } from "../../kernel/console/table.tsx";
import type { Visit } from "../page.ts";

/** Of those that stay the same. */
const MAX_SAME = 20;

const events = (count: number) => `${count} ${count === 1 ? "event" : "events"}`;

const Events = ({
  label,
  rows,
  visit,
}: {
  readonly label: string;
  readonly rows: readonly ReplayedEvent[];
  readonly visit: Visit;
}) => {
  const clock = { zone: visit.session.timeZone, now: visit.now };
  const isChange = rows.some(({ different }) => different);
  return (
    <Table
      label={label}
      rows={rows}
      columns={[
        { title: "Time", cell: ({ at }) => <Moment at={at} {...clock} exact /> },
        {
          title: "Event",
          cell: ({ title, integration_name }) => (
            <>
              {title} <span class="soft">{integration_name}</span>
            </>
          ),
        },
        ...(isChange
          ? [{ title: "Before", cell: ({ before }: ReplayedEvent) => before.summary }]
          : []),
        { title: isChange ? "After" : "Result", cell: ({ after }) => after.summary },
      ]}
    />
  );
};

export const Replayed = ({
  replayed,
  visit,
}: {
  readonly replayed: RouterReplay;
  readonly visit: Visit;
}) => {
  const { requests, results, same, different, complete } = replayed;
  const changed = results.filter((it) => it.different);
  const unchanged = results.filter((it) => !it.different);
  return (
    <div class="stack" id="result">
      <h3>Past events</h3>
      <p>
        {different === 0
          ? `No difference for ${events(same)} of the last ${requests} requests.`
          : `A difference for ${events(different)}, none for ${same}, of the last ${requests} requests.`}
        {complete ? null : " Older requests were left out."}
      </p>
      {changed.length > 0 ? (
        <Events label="Events with a difference" rows={changed} visit={visit} />
      ) : null}
      {unchanged.length > 0 ? (
        <details>
          <summary>Events without a difference</summary>
          <Events
            label="Events without a difference"
            rows={unchanged.slice(0, MAX_SAME)}
            visit={visit}
          />
        </details>
      ) : null}
    </div>
  );
};
