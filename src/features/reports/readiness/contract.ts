// Whether an account's people would be paged, and who of them can be reached.
import * as z from "zod";
import { STANDBY_PROBLEMS } from "../../../domain/operations/standby-drill.ts";
import { PEOPLE_PROBLEMS, PERSON_REACHES, SETUP_STEPS } from "../../../domain/reports/readiness.ts";
import {
  choice,
  flag,
  identifiers,
  identity,
  instant,
  listOf,
  text,
} from "../../../kernel/contract/fields.ts";

export const ReadinessStep = z.object({
  step: choice(SETUP_STEPS, "The step, in the order of a first setup.", "team"),
  done: flag("Whether the step is done."),
});
export type ReadinessStep = z.output<typeof ReadinessStep>;

export const Readiness = z.object({
  ready: flag("Whether a page of a team's alert or drill has been answered."),
  page_answered_at: instant(
    "When that happened. From then on all steps count as done.",
    null,
  ).nullable(),
  steps: listOf(ReadinessStep, "The steps of a first setup, in their order."),
  standby_problem: choice(
    STANDBY_PROBLEMS,
    "Why it is not proven that the deployment's standby pages the account's people (`drill_problem` of `GET /deployment`); null: it is, or there is no standby, or the setup is not complete.",
    null,
  ).nullable(),
  weekly_digest: flag(
    "Whether admins get a weekly e-mail that lists uncovered teams and people who cannot be woken. Nothing is sent while there are none.",
    true,
  ),
  integrations_by_id: flag(
    "Whether integrations that `accepts_id` accept their bare id. False: none does, whatever it says.",
    true,
  ),
  bare_id_integration_ids: identifiers(
    "integration",
    "The newest 100 integrations at which an id is enough to create and resolve alerts, without a token or a signature. Everybody in the account can read it.",
    [],
  ),
});
export type Readiness = z.output<typeof Readiness>;

export const ReadinessPerson = z.object({
  ...identity("account_user"),
  name: text("The person's full name.", "Ada Lovelace"),
  team_ids: identifiers("team", "The teams that the person is a member of."),
  reach: choice(
    PERSON_REACHES,
    "How the person can be reached: `wakeable` by push, SMS or phone call; `mail_only`; or `unreachable`.",
    "wakeable",
  ),
  channels: listOf(z.string(), "The channels on which the person can be notified.", [
    "push",
    "email",
  ]),
  problems: listOf(
    z.enum(PEOPLE_PROBLEMS),
    "What limits how the person can be reached: `pending`, the invitation is not accepted; `never_signed_in`; `blocked_email` and `blocked_phone`, an address that the provider refuses; `unconfirmed_phone`; `push_ended`, a browser no longer receives push notifications, and none was subscribed since.",
    ["unconfirmed_phone"],
  ),
  last_sign_in_at: instant("The last sign-in to the console.", null).nullable(),
});
export type ReadinessPerson = z.output<typeof ReadinessPerson>;
