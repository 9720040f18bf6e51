// Who would be on call instead of whom, window by window.
import type { ChangedOnCall } from "../../../features/oncall/on-call/contract.ts";
import { Badge } from "../../../kernel/console/badge.tsx";
import { dayAndClockOf } from "../../../kernel/console/moment.tsx";
import { Table } from "../../../kernel/console/table.tsx";
import type { Names } from "../../names.ts";
import { Everybody } from "../../people/person-panels.tsx";

export type Clock = { readonly zone: string; readonly now: number };

const People = ({ names, ids }: { readonly names: Names; readonly ids: readonly string[] }) =>
  ids.length === 0 ? <Badge tone="bad">nobody</Badge> : <Everybody names={names} ids={ids} />;

export const OnCallChanges = ({
  label,
  changes,
  names,
  clock,
}: {
  readonly label: string;
  readonly changes: readonly ChangedOnCall[];
  readonly names: Names;
  readonly clock: Clock;
}) => {
  const when = (at: string) => dayAndClockOf(at, clock.zone, clock.now);
  return (
    <Table<ChangedOnCall>
      label={label}
      rows={changes}
      columns={[
        { title: "From", cell: (it) => when(it.start_time) },
        { title: "Until", cell: (it) => when(it.end_time) },
        { title: "Layer", cell: ({ layer }) => layer },
        { title: "Now", cell: (it) => <People names={names} ids={it.account_user_ids_before} /> },
        { title: "Then", cell: (it) => <People names={names} ids={it.account_user_ids_after} /> },
      ]}
    />
  );
};
