// The page of a broadcast: its message, its responses as they arrive, and its notifications.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Broadcast } from "../../features/broadcasts/broadcasts/contract.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import { BroadcastBadge, StatusBadge } from "../../kernel/console/badge.tsx";
import { ActionButton, Button, Form } from "../../kernel/console/form.tsx";
import { LinkedText } from "../../kernel/console/linked-text.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { channelName } from "../alerts/notifications.tsx";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import { action, type ConsolePage, idOf, page, type Visit } from "../page.ts";

const pathOf = ({ params }: Visit) => `/broadcasts/${encodeURIComponent(params.id ?? "")}`;

type BroadcastProps = {
  readonly broadcast: Broadcast;
  readonly names: Names;
  readonly notifications: readonly Notification[];
  readonly visit: Visit;
};

const Responses = ({ broadcast, names, visit }: BroadcastProps) => {
  const { broadcast_response_options: options, broadcast_responses: answers } = broadcast;
  if (!broadcast.response_requested) return null;
  const most = Math.max(1, ...options.map((it) => it.broadcast_responses_count));
  return (
    <Panel title="Responses" id="answers">
      <ul class="stack">
        {options.map((option) => (
          <li class="tally">
            <span>{option.value}</span>
            <meter
              min={0}
              max={most}
              value={option.broadcast_responses_count}
              aria-label={`Responses: ${option.value}`}
            ></meter>
            <strong>{option.broadcast_responses_count}</strong>
          </li>
        ))}
      </ul>
      <Table
        label="Responses"
        rows={answers}
        columns={[
          { title: "Person", cell: (it) => names.of(it.account_user_id) },
          {
            title: "Response",
            cell: (it) =>
              options.find(({ id }) => id === it.broadcast_response_option_id)?.value ?? "",
          },
          { title: "Channel", cell: (it) => channelName(it.channel) },
          {
            title: "Time",
            cell: (it) => (
              <Moment at={it.created_at} zone={visit.session.timeZone} now={visit.now} exact />
            ),
          },
        ]}
        empty={<p class="soft">No responses yet.</p>}
      />
    </Panel>
  );
};

const NotificationsPanel = ({ notifications, names }: BroadcastProps) => (
  <Panel title="Notifications" id="reached">
    <Table
      label="Notifications"
      rows={notifications}
      columns={[
        { title: "Person", cell: (it) => names.of(it.account_user_id) },
        { title: "Channel", cell: (it) => channelName(it.channel) },
        { title: "Status", cell: (it) => <StatusBadge status={it.status} /> },
        { title: "Reason", cell: (it) => it.reason ?? "" },
      ]}
      empty={<p class="soft">Nobody has been notified yet.</p>}
    />
  </Panel>
);

/** The buttons of a recipient's own response. */
const OwnResponse = ({ broadcast, visit }: BroadcastProps) =>
  broadcast.response_requested && broadcast.status === "open" ? (
    <Panel title="Your response" id="own">
      <Form to={`${pathOf(visit)}/responses`} session={visit.session} retry>
        {broadcast.broadcast_response_options.map(({ id, value }) => (
          <Button tone="plain" name="option" value={id}>
            {value}
          </Button>
        ))}
      </Form>
    </Panel>
  ) : null;

async function show(visit: Visit): Promise<Reply> {
  const { api, session, now } = visit;
  const path = pathOf(visit);
  const read = await allOf(
    api.get("/broadcasts/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/broadcasts/:id/notifications", { id: idOf(visit) }),
  );
  if (isRefusal(read)) return read;
  const [broadcast, names, notifications] = read;
  const shown = { broadcast, names, notifications, visit };
  const to = [...broadcast.destination_team_ids, ...broadcast.destination_account_user_ids];
  const mayClose = session.actor.roles.admin || session.actor.roles.broadcaster;
  const clock = { zone: session.timeZone, now };
  const body = (
    <>
      <Heading title={broadcast.title} back={{ to: "/broadcasts", label: "Broadcasts" }}>
        {mayClose && broadcast.status === "open" ? (
          <ActionButton
            to={`${path}/close`}
            session={session}
            label="Close broadcast"
            confirm="Close this broadcast? It accepts no more responses."
          />
        ) : null}
      </Heading>
      <OwnResponse {...shown} />
      <div
        id="current"
        class="stack"
        data-current
        hx-get={path}
        hx-trigger="every 5s"
        hx-select="#current"
        hx-swap="outerMorph"
      >
        <Panel>
          {broadcast.description ? (
            <p class="text">
              <LinkedText text={broadcast.description} />
            </p>
          ) : null}
          <Facts
            facts={[
              ["Status", <BroadcastBadge status={broadcast.status} />],
              ["Recipients", to.map(names.of).join(", ")],
              ["Sent by", names.of(broadcast.account_user_id)],
              ["Sent", <Moment at={broadcast.created_at} {...clock} />],
              [
                "Respond by",
                broadcast.response_requested_by && (
                  <Moment at={broadcast.response_requested_by} {...clock} relative />
                ),
              ],
            ]}
          />
        </Panel>
        <Responses {...shown} />
        <NotificationsPanel {...shown} />
      </div>
    </>
  );
  return { kind: "page", title: broadcast.title, section: "broadcasts", body };
}

async function close(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const closed = await visit.api.put("/broadcasts/:id", { id: idOf(visit), status: "closed" });
  return isRefusal(closed) ? notDone(to, closed) : done(to, "Broadcast closed.");
}

async function respond(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const body = { id: idOf(visit), broadcast_response_option_id: textOf(visit.form, "option") };
  const answered = await visit.api.post("/broadcasts/:id/responses", body);
  return isRefusal(answered) ? notDone(to, answered) : done(to, "Response saved.");
}

export const broadcastPages: readonly ConsolePage[] = [
  page("/broadcasts/:id", show),
  action("/broadcasts/:id/close", close),
  action("/broadcasts/:id/responses", respond),
];
