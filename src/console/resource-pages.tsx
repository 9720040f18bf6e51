// The pages of every configuration resource: the list, and the forms of its records
// (`record-pages.tsx`). A resource declares what differs: its columns and its form.
import type { Child } from "hono/jsx";
import { isRefusal } from "../domain/shared/refusal.ts";
import { Empty, Heading, LinkButton } from "../kernel/console/panel.tsx";
import { RecordList } from "../kernel/console/record-list.tsx";
import { pageReply, type Reply } from "../kernel/console/reply.ts";
import type { Column } from "../kernel/console/table.tsx";
import { type ConsolePage, page, type Visit } from "./page.ts";
import type { Names } from "./reads.ts";
import { type FormRecord, type RecordForms, recordPages } from "./record-pages.tsx";

/** The first thing to do, with its link. */
export type First = { readonly text: string; readonly to: string; readonly label: string };

type Given = "listedAt" | "mayChange" | "mayDelete";

export type Resource<Kind extends FormRecord, Around> = Omit<RecordForms<Kind, Around>, Given> & {
  readonly lead: string;
  readonly columns: (around: Around, visit: Visit) => readonly Column<Kind>[];
  /** Where the list is, if it is a view of another page; and its views, instead of the link to the setup. */
  readonly listedAt?: RecordForms<Kind, Around>["listedAt"];
  readonly views?: Child;
  /** The text of the empty list: what a record is good for. */
  readonly empty: string;
  /** What has to exist before the first record is useful; null if it does. */
  readonly before?: (around: Around) => First | null;
  /** By default admins only, as for `mayDelete`. */
  readonly mayChange?: RecordForms<Kind, Around>["mayChange"];
  readonly mayDelete?: RecordForms<Kind, Around>["mayDelete"];
};

/** The back link to the setup page. */
export const SETUP = { to: "/configuration", label: "Setup" } as const;

const AN_ADMIN = "Only an admin can create one.";

/** Requires a team first, because alerts need a destination. */
export const teamFirst = ({ names }: { readonly names: Names }): First | null =>
  names.teams.length > 0
    ? null
    : {
        text: "Create a team first: alerts need somebody to go to.",
        to: "/teams/new",
        label: "Create team",
      };

export const isAdmin = ({ session }: Visit): boolean => session.actor.roles.admin;

export const recordListOf =
  <Kind extends FormRecord, Around>(resource: Resource<Kind, Around>) =>
  async (visit: Visit): Promise<Reply> => {
    const { path, title, one, views, mayChange: may = isAdmin } = resource;
    const [records, around] = await Promise.all([
      resource.calls(visit.api).list(),
      resource.read(visit.api, false, visit.now),
    ]);
    if (isRefusal(records)) return records;
    if (isRefusal(around)) return around;
    const nameColumn: Column<Kind> = {
      title: "Name",
      cell: (it) => <a href={`${path}/${it.prefix_id}`}>{it.name}</a>,
      by: ({ name }) => name,
    };
    const mayCreate = may(visit, null, around);
    const createLink = { text: "", to: `${path}/new`, label: `Create ${one}` };
    const first = resource.before?.(around) ?? createLink;
    const body = (
      <>
        <Heading title={title} lead={resource.lead} {...(!views && { back: SETUP })}>
          {views}
          {mayCreate && records.length > 0 ? (
            <LinkButton to={`${path}/new`} tone="primary">
              Create {one}
            </LinkButton>
          ) : null}
        </Heading>
        <RecordList
          label={title}
          initial={nameColumn.title}
          keep={views ? ["view"] : []}
          rows={records}
          columns={[nameColumn, ...resource.columns(around, visit)]}
          empty={
            <Empty title={`No ${title.toLowerCase()} yet`} next={mayCreate ? first : undefined}>
              {resource.empty} {mayCreate ? first.text : AN_ADMIN}
            </Empty>
          }
        />
      </>
    );
    return pageReply(title, body);
  };

export function resourcePages<Kind extends FormRecord, Around>(
  resource: Resource<Kind, Around>,
): readonly ConsolePage[] {
  const { path, title, listedAt } = resource;
  return [
    ...(listedAt ? [] : [page(path, recordListOf(resource))]),
    ...recordPages({
      ...resource,
      listedAt: listedAt ?? { to: path, label: title },
      mayChange: resource.mayChange ?? isAdmin,
      mayDelete: resource.mayDelete ?? isAdmin,
    }),
  ];
}
