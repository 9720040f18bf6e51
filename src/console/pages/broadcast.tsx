// One broadcast: what it says, who was reached, and the answers as they arrive.
import type { Notification } from "../../contract/alerts/notification.ts";
import type { Broadcast } from "../../contract/broadcasts/broadcast.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import {
  action,
  type ConsolePage,
  done,
  idOf,
  notDone,
  page,
  type Reply,
  textOf,
  type Visit,
} from "../page.ts";
import { BroadcastBadge, StatusBadge } from "../parts/badge.tsx";
import { ActionButton, Button, Form } from "../parts/form.tsx";
import { LinkedText } from "../parts/linked-text.tsx";
import { Moment } from "../parts/moment.tsx";
import { channelName } from "../parts/notifications.tsx";
import { Facts, Heading, Panel } from "../parts/panel.tsx";
import { Table } from "../parts/table.tsx";

const pathOf = ({ params }: Visit) => `/broadcasts/${encodeURIComponent(params.id ?? "")}`;

type Shown = {
  readonly broadcast: Broadcast;
  readonly names: Names;
  readonly notifications: readonly Notification[];
  readonly visit: Visit;
};

const Answers = ({ broadcast, names, visit }: Shown) => {
  const { broadcast_response_options: options, broadcast_responses: answers } = broadcast;
  if (!broadcast.response_requested) return null;
  const most = Math.max(1, ...options.map((it) => it.broadcast_responses_count));
  return (
    <Panel title="Answers" id="answers">
      <ul class="stack">
        {options.map((option) => (
          <li class="tally">
            <span>{option.value}</span>
            <meter
              min={0}
              max={most}
              value={option.broadcast_responses_count}
              aria-label={`Answers: ${option.value}`}
            ></meter>
            <strong>{option.broadcast_responses_count}</strong>
          </li>
        ))}
      </ul>
      <Table
        label="Answers"
        rows={answers}
        columns={[
          { title: "Who", cell: (it) => names.of(it.account_user_id) },
          {
            title: "Answer",
            cell: (it) =>
              options.find(({ id }) => id === it.broadcast_response_option_id)?.value ?? "",
          },
          { title: "By", cell: (it) => channelName(it.channel) },
          {
            title: "When",
            cell: (it) => (
              <Moment at={it.created_at} zone={visit.session.timeZone} now={visit.now} exact />
            ),
          },
        ]}
        empty={<p class="soft">Nobody has answered yet.</p>}
      />
    </Panel>
  );
};

const Reached = ({ notifications, names }: Shown) => (
  <Panel title="Who was told" id="reached">
    <Table
      label="Who was told"
      rows={notifications}
      columns={[
        { title: "Who", cell: (it) => names.of(it.account_user_id) },
        { title: "How", cell: (it) => channelName(it.channel) },
        { title: "State", cell: (it) => <StatusBadge status={it.status} /> },
        { title: "Why", cell: (it) => it.reason ?? "" },
      ]}
      empty={<p class="soft">Nobody yet.</p>}
    />
  </Panel>
);

/** For one of those who are asked: their own answer. */
const OwnAnswer = ({ broadcast, visit }: Shown) =>
  broadcast.response_requested && broadcast.status === "open" ? (
    <Panel title="Your answer" id="own">
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
  const isOurs = session.actor.roles.admin || session.actor.roles.broadcaster;
  const clock = { zone: session.timeZone, now };
  const body = (
    <>
      <Heading title={broadcast.title} back={{ to: "/broadcasts", label: "Broadcasts" }}>
        {isOurs && broadcast.status === "open" ? (
          <ActionButton
            to={`${path}/close`}
            session={session}
            label="Close it"
            confirm="Nobody can answer any more then. Close it?"
          />
        ) : null}
      </Heading>
      <OwnAnswer {...shown} />
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
              ["State", <BroadcastBadge status={broadcast.status} />],
              ["To", to.map(names.of).join(", ")],
              ["By", names.of(broadcast.account_user_id)],
              ["Sent", <Moment at={broadcast.created_at} {...clock} />],
              [
                "Answers until",
                broadcast.response_requested_by && (
                  <Moment at={broadcast.response_requested_by} {...clock} relative />
                ),
              ],
            ]}
          />
        </Panel>
        <Answers {...shown} />
        <Reached {...shown} />
      </div>
    </>
  );
  return { kind: "page", title: broadcast.title, section: "broadcasts", body };
}

async function close(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const closed = await visit.api.put("/broadcasts/:id", { id: idOf(visit), status: "closed" });
  return isRefusal(closed) ? notDone(to, closed) : done(to, "It is closed.");
}

async function answer(visit: Visit): Promise<Reply> {
  const to = pathOf(visit);
  const body = { id: idOf(visit), broadcast_response_option_id: textOf(visit.form, "option") };
  const answered = await visit.api.post("/broadcasts/:id/responses", body);
  return isRefusal(answered) ? notDone(to, answered) : done(to, "Your answer is in.");
}

export const broadcastPages: readonly ConsolePage[] = [
  page("/broadcasts/:id", show),
  action("/broadcasts/:id/close", close),
  action("/broadcasts/:id/responses", answer),
];
