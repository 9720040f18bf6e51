// Each person's hours on call before and after what a form would do.
import { dateOf } from "../../../kernel/console/moment.tsx";
import { Table } from "../../../kernel/console/table.tsx";
import type { Names } from "../../names.ts";
import { Who } from "../../people/person-panels.tsx";
import type { PlannedHours } from "./planned-shifts.ts";

const hoursText = (hours: number): string => hours.toFixed(1);

export const PlanHours = ({
  hours: { from, to, people },
  names,
  zone,
  now,
}: {
  readonly hours: PlannedHours;
  readonly names: Names;
  readonly zone: string;
  readonly now: number;
}) =>
  people.length === 0 ? null : (
    <>
      <h3>
        Hours on call, {dateOf(from, zone, now)} – {dateOf(to, zone, now)}
      </h3>
      <Table
        label="Hours on call of each person"
        numbers
        rows={people}
        columns={[
          { title: "Person", cell: ({ id }) => <Who names={names} id={id} /> },
          { title: "Now", kind: "number", cell: ({ before }) => hoursText(before) },
          {
            title: "Then",
            kind: "number",
            cell: ({ before, after }) =>
              hoursText(after) === hoursText(before) ? (
                hoursText(after)
              ) : (
                <strong>{hoursText(after)}</strong>
              ),
          },
        ]}
      />
    </>
  );
