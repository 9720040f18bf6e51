// Requests for cover in a list, with the answers that are left.
import type { CoverRequest } from "../../../../contract/oncall/requests/cover-request.ts";
import type { RequestStatus } from "../../../../domain/oncall/absences/asking.ts";
import type { Visit } from "../../../page.ts";
import type { Names } from "../../../shared/names.ts";
import { RecordList } from "../../lists/record-list.tsx";
import { Who } from "../../people/person.tsx";
import { Badge, type Tone } from "../../shared/badge.tsx";
import { ActionButton } from "../../shared/form.tsx";
import { dayAndClockOf } from "../../shared/moment.tsx";

const TONES: Readonly<Record<RequestStatus, Tone>> = {
  open: "busy",
  accepted: "good",
  declined: "warn",
  expired: "warn",
  cancelled: "quiet",
};

const requestPath = ({ prefix_id }: Pick<CoverRequest, "prefix_id">) =>
  `/cover_requests/${prefix_id}`;

/** The status, and who has accepted. */
export const RequestState = ({
  request,
  names,
}: {
  readonly request: CoverRequest;
  readonly names: Names;
}) => (
  <span>
    <Badge tone={TONES[request.status]}>{request.status}</Badge>
    {request.accepted_by === null ? null : (
      <>
        {" by "}
        <Who names={names} id={request.accepted_by} />
      </>
    )}
  </span>
);

const answerOf = ({ asked }: CoverRequest, person: string) =>
  asked.find((it) => it.account_user_id === person)?.answer ?? null;

const isAnswerable = (request: CoverRequest, person: string): boolean =>
  request.status === "open" && answerOf(request, person) !== null;

/** The answers that the viewer may still give. */
export const RequestAnswers = ({
  visit,
  request,
}: {
  readonly visit: Visit;
  readonly request: CoverRequest;
}) => {
  const { session } = visit;
  const { accountUserId } = session.actor;
  if (!isAnswerable(request, accountUserId)) return null;
  const answer = answerOf(request, accountUserId);
  const to = requestPath(request);
  return (
    <div class="buttons">
      <ActionButton to={`${to}/accept`} session={session} label="Accept" tone="primary" />
      {answer === "declined" ? (
        <span class="soft">You have declined.</span>
      ) : (
        <ActionButton to={`${to}/decline`} session={session} label="Decline" />
      )}
    </div>
  );
};

/** `Fri 21 Nov 14:00 – Fri 21 Nov 18:00`. */
export const hoursText = (
  hours: { readonly start_datetime: string; readonly end_datetime: string },
  { session, now }: Visit,
) =>
  `${dayAndClockOf(hours.start_datetime, session.timeZone, now)} – ${dayAndClockOf(hours.end_datetime, session.timeZone, now)}`;

type ListProps = {
  readonly visit: Visit;
  readonly label: string;
  readonly requests: readonly CoverRequest[];
  readonly names: Names;
  readonly empty: string;
  /** One of several lists of a page: without search, sorting and pages. */
  readonly isPart?: boolean;
};

export const RequestList = ({ visit, label, requests, names, empty, isPart }: ListProps) => (
  <RecordList
    isPart={isPart ?? false}
    url={visit.url}
    keep={["state"]}
    label={label}
    rows={requests}
    columns={[
      {
        title: "Hours",
        cell: (it) => <a href={requestPath(it)}>{hoursText(it, visit)}</a>,
        by: (it) => Date.parse(it.start_datetime),
      },
      {
        title: "Who asks",
        cell: (it) => <Who names={names} id={it.account_user_id} />,
        by: (it) => names.of(it.account_user_id),
      },
      {
        title: "Asked",
        cell: ({ asked, account_user_ids: [first] }) =>
          asked.length === 1 && first ? (
            <Who names={names} id={first} />
          ) : (
            `${asked.length} people, ${asked.filter(({ answer }) => answer === "declined").length} declined`
          ),
      },
      {
        title: "In return",
        cell: (it) => (it.in_return === null ? "–" : hoursText(it.in_return, visit)),
      },
      {
        title: "Status",
        cell: (it) => <RequestState request={it} names={names} />,
        by: ({ status }) => status,
      },
      ...(requests.some((it) => isAnswerable(it, visit.session.actor.accountUserId))
        ? [
            {
              title: "Answer",
              cell: (it: CoverRequest) => <RequestAnswers visit={visit} request={it} />,
            },
          ]
        : []),
    ]}
    empty={<p class="soft">{empty}</p>}
  />
);
