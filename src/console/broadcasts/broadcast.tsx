// The page of a broadcast: its message, its responses as they arrive, and its notifications.

import { channelWord } from "../../domain/people/messengers.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Broadcast } from "../../features/broadcasts/broadcasts/contract.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import { BroadcastBadge, StatusBadge } from "../../kernel/console/badge.tsx";
import { Current } from "../../kernel/console/current.tsx";
import { ActionButton, Button, Form } from "../../kernel/console/form.tsx";
import { LinkedText } from "../../kernel/console/linked-text.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { Table } from "../../kernel/console/table.tsx";
import { textOf } from "../../kernel/console/values.ts";
import { type ConsolePage, idOf, page, pathOf, step, type Visit } from "../page.ts";
import { allOf, type PageProps, readNames } from "../reads.ts";

type BroadcastProps = PageProps<{ broadcast: Broadcast; notifications: readonly Notification[] }>;

const Responses = ({ broadcast, names }: BroadcastProps) => {
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
          { title: "Channel", cell: (it) => channelWord(it.channel) },
          { title: "Time", cell: (it) => <Moment at={it.created_at} exact /> },
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
        { title: "Channel", cell: (it) => channelWord(it.channel) },
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
      <Form to={`${pathOf("/broadcasts", visit)}/responses`} retry>
        {broadcast.broadcast_response_options.map(({ id, value }) => (
          <Button tone="plain" name="option" value={id}>
            {value}
          </Button>
        ))}
      </Form>
    </Panel>
  ) : null;

async function show(visit: Visit): Promise<Reply> {
  const { api, session } = visit;
  const path = pathOf("/broadcasts", visit);
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
  const body = (
    <>
      <Heading title={broadcast.title} back={{ to: "/broadcasts", label: "Broadcasts" }}>
        {mayClose && broadcast.status === "open" ? (
          <ActionButton
            to={`${path}/close`}
            label="Close broadcast"
            confirm="Close this broadcast? It accepts no more responses."
          />
        ) : null}
      </Heading>
      <OwnResponse {...shown} />
      <Current from={path} trigger="every 5s" kind="stack">
        <Panel>
          {broadcast.description ? (
            <p class="text">
              <LinkedText text={broadcast.description} />
            </p>
          ) : null}
          <Facts
            facts={[
              ["Status", <BroadcastBadge of={broadcast} />],
              ["Recipients", to.map(names.of).join(", ")],
              ["Sent by", names.of(broadcast.account_user_id)],
              ["Sent", <Moment at={broadcast.created_at} />],
              [
                "Respond by",
                broadcast.response_requested_by && (
                  <Moment at={broadcast.response_requested_by} relative />
                ),
              ],
            ]}
          />
        </Panel>
        <Responses {...shown} />
        <NotificationsPanel {...shown} />
      </Current>
    </>
  );
  return pageReply(broadcast.title, body);
}

export const broadcastPages: readonly ConsolePage[] = [
  page("/broadcasts/:id", show),
  step(
    "/broadcasts/:id/close",
    ({ api }, id) => api.put("/broadcasts/:id", { id, status: "closed" }),
    "Broadcast closed.",
  ),
  step(
    "/broadcasts/:id/responses",
    ({ api, form }, id) =>
      api.post("/broadcasts/:id/responses", {
        ...{ id, broadcast_response_option_id: textOf(form, "option") },
      }),
    "Response saved.",
  ),
];
