// Asks before a broadcast is sent: to how many people, and on which channels they can be reached.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { ReadinessPerson } from "../../features/reports/readiness/contract.ts";
import { Button, Form, HiddenFields } from "../../kernel/console/form.tsx";
import { Facts, Heading, Panel } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import { listOf, textOf } from "../../kernel/console/values.ts";
import { allOf } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import type { Visit } from "../page.ts";

/** Broadcasts make no phone calls. */
const CHANNELS = [
  ["push", "Push"],
  ["sms", "SMS"],
  ["email", "E-mail"],
] as const;

const peopleText = (count: number) => `${count} ${count === 1 ? "person" : "people"}`;

/** The ids of the people whom a form addresses, each once: directly, and by their teams. */
function recipientsIn(form: Visit["form"], { teams, people }: Names): ReadonlySet<string> {
  const teamIds = listOf(form, "destination_team_ids");
  const own = listOf(form, "destination_account_user_ids");
  const isActive = new Set(people.flatMap(({ id, state }) => (state === "pending" ? [] : [id])));
  const ofTeams = teams
    .filter(({ id }) => teamIds.includes(id))
    .flatMap((team) => [...team.member_account_user_ids, ...team.admin_account_user_ids]);
  return new Set([...own, ...ofTeams].filter((id) => isActive.has(id)));
}

const channelFacts = (people: readonly ReadinessPerson[]) => {
  const unreachable = people.filter(({ reach }) => reach === "unreachable").length;
  return [
    ...CHANNELS.map(([channel, label]) => {
      const count = people.filter(({ channels }) => channels.includes(channel)).length;
      return [label, count > 0 ? peopleText(count) : null] as const;
    }),
    ["Cannot be reached", unreachable > 0 ? peopleText(unreachable) : null] as const,
  ];
};

/** The question; null if the form has faults that sending it would name. */
export async function confirmBroadcast(visit: Visit): Promise<Reply | null> {
  const { api, form, session } = visit;
  const read = await allOf(readNames(api), api.every("/readiness/people"));
  if (isRefusal(read)) return read;
  const [names, readiness] = read;
  const ids = recipientsIn(form, names);
  const title = textOf(form, "title").trim();
  if (title === "" || ids.size === 0) return null;
  return {
    kind: "page",
    title: "Send broadcast",
    section: "broadcasts",
    body: (
      <div class="narrow">
        <Heading title="Send broadcast" back={{ to: "/broadcasts", label: "Broadcasts" }} />
        <Panel>
          <p>
            “{title}” is sent to <strong>{peopleText(ids.size)}</strong> now. It cannot be recalled.
          </p>
          <Facts facts={channelFacts(readiness.filter(({ id }) => ids.has(id)))} />
          <p class="help">
            The channels on which they can be reached. Each person’s own settings and notification
            rule choose among them.
          </p>
          <Form to="/broadcasts" session={session} kind="fields">
            <HiddenFields form={form} />
            <input type="hidden" name="confirmed" value="yes" />
            <div class="buttons">
              <Button>Send to {peopleText(ids.size)}</Button>
              <Button tone="plain" to="/broadcasts/draft">
                Back to the form
              </Button>
            </div>
          </Form>
        </Panel>
      </div>
    ),
  };
}
