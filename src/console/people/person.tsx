// A member of the account: their roles and teams, their invitation and their removal.
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import type { AccountUser } from "../../features/people/account-users/contract.ts";
import { UpdateAccountUser } from "../../features/people/account-users/parameters.ts";
import type { NotificationRule } from "../../features/routing/notification-rules/contract.ts";
import { changedParameters, NOTHING_CHANGED } from "../../kernel/console/changed.ts";
import { type DeclaredForm, declareForm } from "../../kernel/console/declared-form.ts";
import { ActionButton, Button } from "../../kernel/console/form.tsx";
import { FieldsForm } from "../../kernel/console/form-fields.tsx";
import { Facts, Heading, Panel } from "../../kernel/console/panel.tsx";
import { isPickerSearch } from "../../kernel/console/picker-search.ts";
import { done, notDone, pageReply, type Reply, redisplayForm } from "../../kernel/console/reply.ts";
import type { Values } from "../../kernel/console/values.ts";
import { mayDecideAbsences } from "../access/reach.ts";
import { AbsenceList } from "../oncall/absences/absence-list.tsx";
import { confirmChanges, confirmsChanges } from "../oncall/events/confirmation.tsx";
import { action, type ConsolePage, idOf, page, pathOf, step, type Visit } from "../page.ts";
import { allOf, type Names, readNames } from "../reads.ts";
import { isAdmin } from "../resource-pages.tsx";
import {
  Emails,
  type FormWithNames,
  ROLES,
  Roles,
  roleNames,
  ruleChoices,
  sentRoles,
  TEAMS,
  teamNames,
  teamsOf,
  usableRules,
} from "./membership.tsx";

type Membership = FormWithNames & { readonly rules: readonly NotificationRule[] };

const MEMBERSHIP: DeclaredForm<Membership> = declareForm(UpdateAccountUser, [
  { draw: Roles, body: sentRoles },
  TEAMS,
  {
    name: "notification_rule_id",
    label: "Notification rule",
    source: "rules",
    choices: ({ rules }) => ruleChoices(rules, "their own", "none (own settings)"),
  },
]);

/** A member as the values of the form. */
const membershipOf = (names: Names, person: AccountUser): Values => ({
  ...person,
  ...Object.fromEntries(ROLES.map(({ name }) => [`role_${name}`, person.roles[name]])),
  member_team_ids: teamsOf(names, person).map(({ id }) => id),
});

async function show(visit: Visit, refusal: Refusal | null = null): Promise<Reply> {
  const { api, session } = visit;
  const read = await allOf(
    api.get("/account_users/:id", { id: idOf(visit) }),
    readNames(api),
    api.every("/notification_rules"),
    api.every("/absences", {
      ...{ account_user_id: idOf(visit), sort: "start_datetime", direction: "asc" },
      ...{ ops: "end_datetime:gte", end_datetime: formatInstant(visit.now) },
    }),
  );
  if (isRefusal(read)) return read;
  const [person, names, allRules, absences] = read;
  const rules = usableRules(allRules, person.id);
  const { user } = person;
  const body = (
    <div class="narrow">
      <Heading title={user.name} back={{ to: "/people", label: "People and roles" }} />
      <Panel>
        <Facts
          facts={[
            ["E-mail", <Emails person={person} />],
            ["Phone", user.phones.map(({ phone }) => phone).join(", ")],
            ["Time zone", user.time_zone],
            ["Roles", roleNames(names, person).join(", ")],
            ["Teams", teamNames(names, person)],
          ]}
        />
      </Panel>
      <Panel
        title="Absences"
        id="absences"
        aside={
          person.id === session.actor.accountUserId || mayDecideAbsences(visit, names) ? (
            <a href={`/absences?add=1&person=${person.id}`}>Add absence</a>
          ) : null
        }
      >
        <AbsenceList
          {...{ visit, absences, names, label: "Absences" }}
          empty="No absence is planned."
          isPart
        />
      </Panel>
      {isAdmin(visit) ? (
        <>
          <Panel title="Roles and teams" id="roles">
            <FieldsForm
              to={pathOf("/people", visit)}
              form={MEMBERSHIP}
              state={{ values: membershipOf(names, person), refusal, names, rules }}
            >
              <Button>Save changes</Button>
            </FieldsForm>
          </Panel>
          {person.state === "pending" || person.invited_at == null ? (
            <ActionButton
              to={`${pathOf("/people", visit)}/invite`}
              label={person.invited_at == null ? "Send invitation" : "Resend invitation"}
            />
          ) : null}
          <ActionButton
            to={`${pathOf("/people", visit)}/remove`}
            label="Remove from account"
            tone="danger"
          />
        </>
      ) : null}
    </div>
  );
  return pageReply(user.name, body, refusal);
}

async function update(visit: Visit): Promise<Reply> {
  const { api, form } = visit;
  const read = await allOf(api.get("/account_users/:id", { id: idOf(visit) }), readNames(api));
  if (isRefusal(read)) return read;
  const [person, names] = read;
  const body = changedParameters(MEMBERSHIP.bodyOf(form), membershipOf(names, person));
  if (Object.keys(body).length === 0 && !isPickerSearch(form))
    return done(pathOf("/people", visit), NOTHING_CHANGED);
  const changed = await api.put("/account_users/:id", { ...body, id: idOf(visit) });
  if (isRefusal(changed)) return redisplayForm(changed, (refusal) => show(visit, refusal));
  return done(pathOf("/people", visit), "Changes saved.");
}

/** The page first shows who would be on call without the person. */
async function remove(visit: Visit): Promise<Reply> {
  const { api } = visit;
  const id = idOf(visit);
  const read = await allOf(
    api.get("/account_users/:id", { id }),
    api.preview("DELETE", "/account_users/:id", { id }),
  );
  if (isRefusal(read)) return notDone(pathOf("/people", visit), read);
  const [{ user }, preview] = read;
  if (!confirmsChanges(visit, preview)) {
    return confirmChanges(visit, preview, {
      title: `Remove ${user.name}`,
      lead: "They leave every team, schedule and escalation policy of this account.",
      back: { to: pathOf("/people", visit), label: user.name },
      button: "Remove from account",
      tone: "danger",
    });
  }
  const removed = await api.delete("/account_users/:id", { id });
  return isRefusal(removed)
    ? notDone(pathOf("/people", visit), removed)
    : done("/people", "Person removed.");
}

export const personPages: readonly ConsolePage[] = [
  page("/people/:id", (visit) => show(visit)),
  action("/people/:id", update),
  step("/people/:id/invite", "/account_users/:id/invite", "Invitation sent."),
  action("/people/:id/remove", remove),
];
