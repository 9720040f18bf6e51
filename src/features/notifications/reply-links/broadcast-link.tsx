// The page of a recipient's link to a broadcast: the message, and the response options as buttons.
// A new response replaces the previous one until the deadline.
import { sql } from "drizzle-orm";
import type { Child } from "hono/jsx";
import { type BroadcastQuestion, refuseResponse } from "../../../domain/broadcasts/broadcast.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { first, parsed, select, truth } from "../../../kernel/db/select.ts";
import { statusOf } from "../../../kernel/http/answers.ts";
import type { LinkSubject } from "../../../kernel/links.ts";
import { isRecipient } from "../../broadcasts/broadcasts/rows.ts";
import { respondToBroadcast } from "../../broadcasts/responses/respond-to-broadcast.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../../schema/messages.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { type LinkPages, type LinkRequest, linkContext } from "./link-request.ts";
import { Answer, Button, Done, type LinkPage, Moment, messagePage, Refused } from "./page.tsx";

const NOT_YOURS = messagePage(
  403,
  "You no longer have access",
  "You are no longer a recipient of this broadcast.",
);
const GONE = messagePage(404, "Broadcast not found", "The broadcast was deleted.");

type BroadcastDetails = {
  readonly personName: string;
  readonly title: string;
  readonly description: string;
  readonly question: BroadcastQuestion;
  readonly options: readonly Option[];
  /** The id of the person's chosen option. */
  readonly chosen: string | null;
};

type Option = { readonly id: string; readonly value: string };

const optionsJson = sql`(select json_group_array(json_object('id', ${broadcastResponseOptions.id},
    'value', ${broadcastResponseOptions.value}) order by ${broadcastResponseOptions.position})
  from ${broadcastResponseOptions} where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id})`;

/** Selects the person with the broadcast, whose columns are null where `exists` is false. */
const selectDetails = ({ accountId, recordId, accountUserId }: LinkSubject) =>
  select(
    {
      personName: users.name,
      exists: truth(sql`${broadcasts.id} is not null`),
      title: broadcasts.title,
      description: broadcasts.description,
      status: broadcasts.status,
      responseRequested: broadcasts.responseRequested,
      responseRequestedBy: broadcasts.responseRequestedBy,
      options: parsed<readonly Option[]>(optionsJson),
      isRecipient: truth(isRecipient),
      chosen: sql<string | null>`(select ${broadcastResponses.broadcastResponseOptionId}
        from ${broadcastResponses} where ${broadcastResponses.broadcastId} = ${broadcasts.id}
          and ${broadcastResponses.accountUserId} = ${accountUserId})`,
    },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      left join ${broadcasts} on ${broadcasts.id} = ${recordId}
        and ${broadcasts.accountId} = ${accountId}
    where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.state} = 'active'`,
  );

/** Reads the details; returns an error page if the person or the broadcast no longer exists. */
async function readDetails({ db, subject }: LinkRequest): Promise<BroadcastDetails | LinkPage> {
  const row = await first(db, selectDetails(subject));
  if (!row) return NOT_YOURS;
  if (!row.exists) return GONE;
  if (!row.isRecipient) return NOT_YOURS;
  const { personName, title, description, options, chosen } = row;
  return { personName, title, description: description ?? "", question: row, options, chosen };
}

const isPage = (result: BroadcastDetails | LinkPage): result is LinkPage => "body" in result;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function responseSection(
  { personName, question, options, chosen }: BroadcastDetails,
  now: number,
): Child {
  const current = options.find(({ id }) => id === chosen);
  const own = current && (
    <p>
      Your response: <strong>{current.value}</strong>
    </p>
  );
  const refusal = refuseResponse(question, now);
  if (refusal) {
    return (
      <section>
        {own}
        <p class="soft">{sentence(refusal.errors[0]?.message ?? "")}</p>
      </section>
    );
  }
  const deadline = question.responseRequestedBy;
  const until = deadline !== null && (
    <>
      {" "}
      Responses are accepted until <Moment at={deadline} />.
    </>
  );
  const who = (
    <>
      {own}
      <p class="soft">
        You respond as {personName}.{until}
      </p>
    </>
  );
  return (
    <Answer as={who}>
      {options.map(({ id, value }) => (
        <Button action={id} label={value} kind="plain" />
      ))}
    </Answer>
  );
}

function pageOf(
  details: BroadcastDetails,
  now: number,
  status: LinkPage["status"],
  flash: Child,
): LinkPage {
  return {
    status,
    title: details.title.slice(0, 80),
    body: (
      <>
        {flash}
        <section>
          <h1>{details.title.slice(0, 300)}</h1>
          {details.description !== "" && <p class="text">{details.description.slice(0, 4_000)}</p>}
        </section>
        {responseSection(details, now)}
      </>
    ),
  };
}

async function act(request: LinkRequest, option: string): Promise<LinkPage> {
  const { subject, now } = request;
  const details = await readDetails(request);
  if (isPage(details)) return details;
  const context = linkContext(request, details.personName);
  const broadcast = { form: "id", value: subject.recordId } as const;
  const chosen = { broadcast_response_option_id: option };
  const result = await respondToBroadcast(context, broadcast, newId(now), chosen);
  const after = await readDetails(request);
  if (isPage(after)) return after;
  if (isRefusal(result)) {
    const status = statusOf(result.reason) as LinkPage["status"];
    const why = sentence(result.errors[0]?.message ?? "");
    return pageOf(after, now, status, <Refused why={why} />);
  }
  const text = "You can change it until the broadcast is closed.";
  return pageOf(after, now, 200, <Done title="Response saved" text={text} />);
}

export const broadcastPages: LinkPages = {
  show: async (request) => {
    const details = await readDetails(request);
    return isPage(details) ? details : pageOf(details, request.now, 200, null);
  },
  act,
};
