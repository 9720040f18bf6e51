// All requests for cover of the account, and one of them with everybody's answer.
import type { CoverRequestWithHours } from "../../../../contract/oncall/requests/cover-request.ts";
import { isRefusal } from "../../../../domain/shared/refusal.ts";
import { mayCover } from "../../../access/reach.ts";
import { action, type ConsolePage, idOf, page, type Reply, type Visit } from "../../../page.ts";
import { Notifications } from "../../../parts/alerts/notifications.tsx";
import {
  hoursText,
  RequestAnswers,
  RequestList,
  RequestState,
} from "../../../parts/oncall/requests/request-list.tsx";
import { Who } from "../../../parts/people/person.tsx";
import { Chips } from "../../../parts/shared/filters.tsx";
import { isWhole } from "../../../parts/shared/folded.tsx";
import { ActionButton } from "../../../parts/shared/form.tsx";
import { dayAndClockOf, Moment } from "../../../parts/shared/moment.tsx";
import { Facts, Heading, Notice, Panel } from "../../../parts/shared/panel.tsx";
import { Table } from "../../../parts/shared/table.tsx";
import { allOf, MOST_RECORDS } from "../../../shared/api.ts";
import { type Names, readNames } from "../../../shared/names.ts";
import { done, notDone } from "../../../shared/replies.ts";
import { confirmChanges, confirmsChanges } from "../changes/confirm-changes.tsx";

const REQUESTS = { to: "/cover_requests", label: "Cover requests" };
const COVERS = { to: "/covers", label: "Covers" };

async function list(visit: Visit): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(api.every("/cover_requests"), readNames(api));
  if (isRefusal(read)) return read;
  const [requests, names] = read;
  const open = requests.filter(({ status }) => status === "open");
  const ended = requests.filter(({ status }) => status !== "open");
  const isEnded = visit.query.get("state") === "ended";
  const body = (
    <>
      <Heading
        title="Cover requests"
        lead={`Who asks for cover or a swap. Ask for cover from My shifts. All times in ${session.timeZone}`}
        back={COVERS}
      >
        <a class="button plain" href="/on-call/mine">
          My shifts
        </a>
      </Heading>
      <Chips
        url={visit.url}
        name="state"
        label="State"
        chips={[
          { value: "open", label: "Open", count: open.length },
          { value: "ended", label: "Ended", count: ended.length },
        ]}
      />
      <RequestList
        {...{ visit, names, requests: isEnded ? ended : open }}
        label={isEnded ? "Ended requests" : "Open requests"}
        empty={isEnded ? "No request has ended." : "Nobody asks for cover."}
      />
    </>
  );
  return { kind: "page", title: "Cover requests", section: "on-call", body };
}

const pathOf = ({ params }: Visit) => `/cover_requests/${encodeURIComponent(params.id ?? "")}`;

const ANSWERS = { pending: "not yet", accepted: "accepted", declined: "declined" } as const;
const CHANNELS = { api: "API", console: "console", link: "link", sms: "SMS" } as const;

type RequestProps = {
  readonly visit: Visit;
  readonly request: CoverRequestWithHours;
  readonly names: Names;
};

const RequestFacts = ({ visit, request, names }: RequestProps) => {
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <Facts
      facts={[
        ["Status", <RequestState request={request} names={names} />],
        ["Who asks", <Who names={names} id={request.account_user_id} />],
        ["Hours", hoursText(request, visit)],
        ["In return", request.in_return && hoursText(request.in_return, visit)],
        ["Reason", request.reason],
        [
          request.status === "open" ? "Expires" : "Ended",
          <Moment at={request.ended_at ?? request.expires_at} {...time} />,
        ],
      ]}
    />
  );
};

const Asked = ({ visit, request, names }: RequestProps) => (
  <Panel title="Asked" id="asked">
    <Table
      label="People who are asked"
      rows={request.asked}
      columns={[
        { title: "Person", cell: (it) => <Who names={names} id={it.account_user_id} /> },
        {
          title: "Answer",
          cell: ({ answer, channel }) =>
            `${ANSWERS[answer]}${channel === null ? "" : `, by ${CHANNELS[channel]}`}`,
        },
        {
          title: "When",
          cell: ({ answered_at: at }) =>
            at === null ? "–" : dayAndClockOf(at, visit.session.timeZone, visit.now),
        },
      ]}
    />
  </Panel>
);

async function show(visit: Visit): Promise<Reply> {
  const { api, session, url, now } = visit;
  const id = idOf(visit);
  const read = await allOf(
    api.get("/cover_requests/:id", { id }),
    api.get("/cover_requests/:id/notifications", {
      id,
      limit: isWhole(url, "notifications") ? MOST_RECORDS : 100,
    }),
    readNames(api),
  );
  if (isRefusal(read)) return read;
  const [request, list, names] = read;
  const isOwn = request.account_user_id === session.actor.accountUserId;
  const isOpen = request.status === "open";
  const what = request.in_return === null ? "Cover request" : "Swap request";
  const title = `${what} of ${names.of(request.account_user_id)}`;
  const shown = { visit, request, names };
  const body = (
    <div class="narrow">
      <Heading title={title} back={REQUESTS} lead={`All times in ${session.timeZone}`} />
      {isOpen && request.hours.length === 0 ? (
        <Notice tone="warn">
          {`${names.of(request.account_user_id)} is no longer on call in these hours: nothing is left to be covered.`}
        </Notice>
      ) : null}
      <Panel>
        <RequestFacts {...shown} />
        <RequestAnswers visit={visit} request={request} />
      </Panel>
      <Asked {...shown} />
      <Notifications {...{ list, names, url, now }} zone={session.timeZone} />
      {request.cover_ids.length > 0 ? (
        <p>
          {request.cover_ids.map((id, index) => (
            <>
              {index > 0 ? ", " : ""}
              <a href={`/covers/${id}`}>{index === 0 ? "The cover" : "The cover in return"}</a>
            </>
          ))}
        </p>
      ) : null}
      {isOpen && (isOwn || mayCover(visit, names)) ? (
        <ActionButton
          to={`${pathOf(visit)}/cancel`}
          session={session}
          label="Cancel request"
          tone="danger"
        />
      ) : null}
    </div>
  );
  return { kind: "page", title, section: "on-call", body };
}

async function accept(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const id = idOf(visit);
  const path = "/cover_requests/:id/accept";
  const preview = await api.preview("POST", path, { id });
  if (isRefusal(preview)) return notDone(pathOf(visit), preview);
  if (!confirmsChanges(visit, preview)) {
    const texts = { title: "Accept request", button: "Accept" };
    return confirmChanges(visit, preview, {
      ...texts,
      back: { to: pathOf(visit), label: "Request" },
    });
  }
  const accepted = await api.post(path, { id });
  return isRefusal(accepted)
    ? notDone(pathOf(visit), accepted)
    : done(pathOf(visit), "You have accepted. You are on call in these hours.");
}

async function decline(visit: Visit): Promise<Reply> {
  const declined = await visit.api.post("/cover_requests/:id/decline", { id: idOf(visit) });
  return isRefusal(declined)
    ? notDone(pathOf(visit), declined)
    : done(pathOf(visit), "You have declined.");
}

async function cancel(visit: Visit): Promise<Reply> {
  const cancelled = await visit.api.post("/cover_requests/:id/cancel", { id: idOf(visit) });
  return isRefusal(cancelled)
    ? notDone(pathOf(visit), cancelled)
    : done(pathOf(visit), "Request cancelled.");
}

export const requestPages: readonly ConsolePage[] = [
  page("/cover_requests", list),
  page("/cover_requests/:id", show),
  action("/cover_requests/:id/accept", accept),
  action("/cover_requests/:id/decline", decline),
  action("/cover_requests/:id/cancel", cancel),
];
