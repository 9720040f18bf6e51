// One on-call event, or one occurrence of it (`at`): what it is, and what can be done with this one, with this and
// the following, or with all.
import { isRefusal } from "../../domain/refusal.ts";
import { formatInstant } from "../../domain/time.ts";
import { allOf } from "../api.ts";
import type { Duty } from "../configuration-records.ts";
import { atOf } from "../duty-form.ts";
import { ruleOf } from "../duty-words.ts";
import { readNames } from "../names.ts";
import { wallOf } from "../on-call-window.ts";
import {
  action,
  type ConsolePage,
  done,
  notDone,
  page,
  type Reply,
  textOf,
  type Visit,
} from "../page.ts";
import { Button, Form } from "../parts/form.tsx";
import { Moment } from "../parts/moment.tsx";
import { Facts, Heading, Notice, Panel } from "../parts/panel.tsx";
import { Everybody } from "../parts/person.tsx";
import { mayChangeAssigned } from "../reach.ts";

export const eventPath = ({ params }: Visit) => `/events/${encodeURIComponent(params.id ?? "")}`;

/** Back to the calendar that somebody came from, at the time that was changed. */
export function backToSchedule(visit: Visit, at: number | null): string {
  const given = visit.query.get("schedule") ?? textOf(visit.form, "schedule");
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(given)) return "/schedules";
  const day = at === null ? "" : `?from=${wallOf(at, visit.session.timeZone).slice(0, 10)}`;
  return `/schedules/${given}${day}`;
}

const queryOf = (visit: Visit, at: number | null) =>
  new URLSearchParams({
    ...(at !== null && { at: formatInstant(at) }),
    ...(visit.query.get("schedule") && { schedule: visit.query.get("schedule") ?? "" }),
  }).toString();

/** What a form about an occurrence carries along. */
export const Occurrence = ({
  visit,
  at,
}: {
  readonly visit: Visit;
  readonly at: number | null;
}) => (
  <>
    <input type="hidden" name="at" value={at === null ? "" : formatInstant(at)} />
    <input
      type="hidden"
      name="schedule"
      value={visit.query.get("schedule") ?? textOf(visit.form, "schedule")}
    />
  </>
);

const Removal = ({ visit, duty, at }: { visit: Visit; duty: Duty; at: number | null }) => (
  <Panel title="Take off duty" id="remove">
    <Form
      to={`${eventPath(visit)}/remove`}
      session={visit.session}
      confirm="Nobody takes their place. Go on?"
    >
      <Occurrence visit={visit} at={at} />
      {duty.repeat && at !== null ? (
        <>
          <Button tone="danger" name="scope" value="one">
            This one
          </Button>
          <Button tone="danger" name="scope" value="following">
            This and all following
          </Button>
        </>
      ) : null}
      <Button tone="danger" name="scope" value="all">
        {duty.repeat ? "All of them" : "Remove it"}
      </Button>
    </Form>
    {duty.repeat && at === null ? (
      <p class="help">Open a shift in the calendar to remove only that one, or it and the rest.</p>
    ) : null}
  </Panel>
);

const ClockChanges = ({ duty }: { readonly duty: Duty }) => (
  <>
    {(duty.clock_changes ?? []).slice(0, 4).map((change) => (
      <Notice tone="warn" title={`The clocks change: ${change.local_start.replace("T", " ")}.`}>
        {change.happens
          ? `That shift is ${Math.abs(change.longer_by_minutes ?? 0)} minutes ${
              (change.longer_by_minutes ?? 0) < 0 ? "shorter" : "longer"
            } than the others.`
          : "That shift does not happen: its time of day is skipped."}
      </Notice>
    ))}
  </>
);

async function show(visit: Visit): Promise<Reply> {
  const { api, query, session, now } = visit;
  const read = await allOf(api.get<Duty>(eventPath(visit)), readNames(api));
  if (isRefusal(read)) return read;
  const [duty, names] = read;
  const at = atOf(query.get("at") ?? "") ?? (duty.repeat ? null : Date.parse(duty.start_datetime));
  const along = queryOf(visit, at);
  const may =
    visit.session.actor.roles.admin ||
    (duty.schedule_ids.length > 0 &&
      duty.schedule_ids.every((id) => mayChangeAssigned(visit, names, "schedule_id", id)));
  return {
    kind: "page",
    title: "On-call event",
    section: "schedules",
    body: (
      <div class="narrow">
        <Heading
          title={at === null ? "On-call event" : "A shift"}
          back={{ to: backToSchedule(visit, at), label: "Calendar" }}
        >
          {at === null || !may ? null : (
            <a class="button primary" href={`${eventPath(visit)}/override?${along}`}>
              Somebody covers it
            </a>
          )}
          {may ? (
            <a class="button plain" href={`${eventPath(visit)}/edit?${along}`}>
              Change
            </a>
          ) : null}
        </Heading>
        <ClockChanges duty={duty} />
        <Panel>
          <Facts
            facts={[
              ["This shift", at && <Moment at={at} zone={session.timeZone} now={now} relative />],
              ["Layer", duty.layer],
              ["Who", <Everybody names={names} ids={duty.account_user_ids} />],
              ["Repeats", duty.parent_id ? "no: it covers a shift of another event" : ruleOf(duty)],
              [
                "First time",
                <>
                  <Moment at={duty.start_datetime} zone={duty.time_zone} now={now} /> –{" "}
                  <Moment at={duty.end_datetime} zone={duty.time_zone} now={now} />
                </>,
              ],
              ["On the clock of", duty.time_zone],
              ["Left out", duty.exceptions.length > 0 && `${duty.exceptions.length} shifts`],
            ]}
          />
        </Panel>
        {may ? (
          <Removal visit={visit} duty={duty} at={at} />
        ) : (
          <p class="help">
            Only an admin of the account, or of every team that uses the schedule, can change it.
          </p>
        )}
      </div>
    ),
  };
}

async function remove(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const path = eventPath(visit);
  const at = atOf(textOf(form, "at"));
  const to = backToSchedule(visit, at);
  const scope = textOf(form, "scope");
  const occurrence = { action_time: textOf(form, "at") };
  if (scope === "one" || scope === "following") {
    const what = scope === "one" ? "add_exception" : "terminate_on";
    const amended = await api.post(`${path}/${what}`, occurrence);
    if (isRefusal(amended)) return notDone(to, amended);
    return done(to, scope === "one" ? "That shift is out." : "It ends there.");
  }
  const removed = await api.delete(path);
  return isRefusal(removed) ? notDone(to, removed) : done(to, "The event is gone.");
}

export const eventPages: readonly ConsolePage[] = [
  page("/events/:id", show),
  action("/events/:id/remove", remove),
];
