// The coming covers, and the form of a new one. What it changes is shown before it is confirmed.
import { isRefusal, type Refusal, refuse } from "../../../../domain/shared/refusal.ts";
import { DAY, HOUR } from "../../../../domain/shared/time.ts";
import { mayCover } from "../../../access/reach.ts";
import { FieldsForm } from "../../../forms/form-fields.tsx";
import { COVER_FORM, coverBodyOf } from "../../../oncall/cover-form.ts";
import { wallOf } from "../../../oncall/on-call-window.ts";
import { action, type ConsolePage, page, type Reply, type Visit } from "../../../page.ts";
import { CoverList, comingCovers } from "../../../parts/oncall/covers/cover-list.tsx";
import { Chips } from "../../../parts/shared/filters.tsx";
import { Button } from "../../../parts/shared/form.tsx";
import { Heading, Panel } from "../../../parts/shared/panel.tsx";
import { allOf } from "../../../shared/api.ts";
import { readNames } from "../../../shared/names.ts";
import { done, redisplayForm, statusAfter } from "../../../shared/replies.ts";
import type { Values } from "../../../shared/values.ts";
import { confirmChanges, confirmsChanges } from "../changes/confirm-changes.tsx";

const ON_CALL = { to: "/on-call", label: "On call now" };
export const COVERS = { to: "/covers", label: "Covers" };

async function list(visit: Visit): Promise<Reply> {
  const { api, now } = visit;
  const read = await allOf(api.every("/covers"), readNames(api));
  if (isRefusal(read)) return read;
  const [covers, names] = read;
  const coming = comingCovers(covers, now);
  const ended = covers.filter((it) => !coming.includes(it));
  const isEnded = visit.query.get("state") === "ended";
  const body = (
    <>
      <Heading
        title="Covers"
        lead={`Who is away, and who is on call instead. All times in ${visit.session.timeZone}`}
        back={ON_CALL}
      >
        <a class="button plain" href="/cover_requests">
          Requests
        </a>
        {mayCover(visit, names) ? (
          <a class="button primary" href="/covers/new">
            Cover a person
          </a>
        ) : null}
      </Heading>
      <Chips
        url={visit.url}
        name="state"
        label="State"
        chips={[
          { value: "coming", label: "Coming", count: coming.length },
          { value: "ended", label: "Ended", count: ended.length },
        ]}
      />
      <CoverList
        {...{ visit, covers: isEnded ? ended : coming, names }}
        empty={isEnded ? "No cover has ended." : "Nobody is away."}
      />
    </>
  );
  return { kind: "page", title: "Covers", section: "on-call", body };
}

const NOT_ALLOWED = refuse("forbidden", "only an admin of a team can cover its people");

/** A new cover: of the person that a link names, for the coming seven days. */
function blankOf({ query, now, session }: Visit): Values {
  const start = Math.ceil(now / HOUR) * HOUR;
  return {
    account_user_id: query.get("person") ?? session.actor.accountUserId,
    start_datetime: wallOf(start, session.timeZone),
    end_datetime: wallOf(start + 7 * DAY, session.timeZone),
    covered_by: "person",
  };
}

async function showNew(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(readNames(api), api.every("/schedules"));
  if (isRefusal(read)) return read;
  const [names, schedules] = read;
  if (!mayCover(visit, names)) return NOT_ALLOWED;
  const values = { ...(refusal ? visit.form : blankOf(visit)), zone: session.timeZone };
  const body = (
    <div class="narrow">
      <Heading
        title="Cover a person"
        back={COVERS}
        lead={`You see what changes before it is saved. All times in ${session.timeZone}`}
      />
      <Panel>
        <FieldsForm
          to="/covers"
          session={session}
          form={COVER_FORM}
          state={{ values, refusal, names, schedules, zone: session.timeZone }}
        >
          <Button>Show changes</Button>
        </FieldsForm>
      </Panel>
    </div>
  );
  const status = statusAfter(refusal);
  return { kind: "page", status, title: "Cover a person", section: "on-call", body };
}

async function create(visit: Visit): Promise<Reply> {
  const { api, form, session } = visit;
  const body = coverBodyOf(form, session.timeZone);
  const preview = await api.preview("POST", "/covers", body);
  if (isRefusal(preview)) return redisplayForm(preview, (refusal) => showNew(visit, refusal));
  if (!confirmsChanges(visit, preview)) {
    const texts = { title: "Confirm cover", button: "Confirm cover" };
    return confirmChanges(visit, preview, { ...texts, back: COVERS });
  }
  const made = await api.post("/covers", body);
  if (isRefusal(made)) return redisplayForm(made, (refusal) => showNew(visit, refusal));
  return done(`/covers/${made.prefix_id}`, "Cover created.");
}

export const coversPages: readonly ConsolePage[] = [
  page("/covers", list),
  page("/covers/new", (visit) => showNew(visit)),
  action("/covers", create),
];
