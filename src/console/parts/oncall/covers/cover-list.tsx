// Covers in a list.
import type { Cover } from "../../../../contract/oncall/covers/cover.ts";
import { COVERED_BY_LABELS } from "../../../oncall/cover-form.ts";
import type { Visit } from "../../../page.ts";
import type { Names } from "../../../shared/names.ts";
import { RecordList } from "../../lists/record-list.tsx";
import { Who } from "../../people/person.tsx";
import { Badge } from "../../shared/badge.tsx";
import { Moment } from "../../shared/moment.tsx";

type ListProps = {
  readonly visit: Visit;
  readonly covers: readonly Cover[];
  readonly names: Names;
  readonly empty: string;
  /** One of several lists of a page: without search, sorting and pages. */
  readonly isPart?: boolean;
};

export const CoveredBy = ({ cover, names }: { readonly cover: Cover; readonly names: Names }) => {
  if (cover.covered_by !== "person") return <>{COVERED_BY_LABELS[cover.covered_by]}</>;
  const { covering_account_user_id: id } = cover;
  return id === null ? <span class="soft">left the account</span> : <Who names={names} id={id} />;
};

export const CoverState = ({ cover, now }: { readonly cover: Cover; readonly now: number }) => {
  if (Date.parse(cover.end_datetime) <= now) return <Badge tone="quiet">ended</Badge>;
  if (Date.parse(cover.start_datetime) > now) return <Badge tone="neutral">planned</Badge>;
  return <Badge tone="busy">away now</Badge>;
};

/** Those that have not ended, the next one first. */
export const comingCovers = (covers: readonly Cover[], now: number): readonly Cover[] =>
  covers
    .filter(({ end_datetime: end }) => Date.parse(end) > now)
    .toSorted((one, other) => Date.parse(one.start_datetime) - Date.parse(other.start_datetime));

export const CoverList = ({ visit, covers, names, empty, isPart }: ListProps) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <RecordList
      isPart={isPart ?? false}
      url={visit.url}
      label="Covers"
      rows={covers}
      columns={[
        {
          title: "Who is away",
          cell: (it) => (
            <a href={`/covers/${it.prefix_id}`}>
              <Who names={names} id={it.account_user_id} />
            </a>
          ),
          by: (it) => names.of(it.account_user_id),
        },
        {
          title: "From",
          cell: (it) => <Moment at={it.start_datetime} {...time} />,
          by: (it) => Date.parse(it.start_datetime),
        },
        {
          title: "Until",
          cell: (it) => <Moment at={it.end_datetime} {...time} />,
          by: (it) => Date.parse(it.end_datetime),
        },
        {
          title: "Covered by",
          cell: (it) => <CoveredBy cover={it} names={names} />,
          by: (it) => names.of(it.covering_account_user_id),
        },
        { title: "Status", cell: (it) => <CoverState cover={it} now={visit.now} /> },
      ]}
      keep={["state"]}
      empty={<p class="soft">{empty}</p>}
    />
  );
};
