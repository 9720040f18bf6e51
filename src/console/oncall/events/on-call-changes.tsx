// Who would be on call instead of whom, window by window.
import type { ChangedOnCall } from "../../../features/oncall/on-call/contract.ts";
import { Badge } from "../../../kernel/console/badge.tsx";
import { DayAndClock } from "../../../kernel/console/moment.tsx";
import { Table } from "../../../kernel/console/table.tsx";
import { Everybody } from "../../people/person-panels.tsx";
import type { Names, WithNames } from "../../reads.ts";

const People = ({ names, ids }: { readonly names: Names; readonly ids: readonly string[] }) =>
  ids.length === 0 ? <Badge tone="bad">nobody</Badge> : <Everybody names={names} ids={ids} />;

type OnCallChangesProps = WithNames<{ label: string; changes: readonly ChangedOnCall[] }>;

export const OnCallChanges = ({ label, changes, names }: OnCallChangesProps) => (
  <Table<ChangedOnCall>
    label={label}
    rows={changes}
    columns={[
      { title: "From", cell: (it) => <DayAndClock at={it.start_time} /> },
      { title: "Until", cell: (it) => <DayAndClock at={it.end_time} /> },
      { title: "Step", cell: ({ layer }) => layer },
      { title: "Now", cell: (it) => <People names={names} ids={it.account_user_ids_before} /> },
      { title: "Then", cell: (it) => <People names={names} ids={it.account_user_ids_after} /> },
    ]}
  />
);
