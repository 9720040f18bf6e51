// The state of the deployment, for those who run it.
import * as z from "zod";
import { STANDBY_ORDERS } from "../../../domain/operations/standby.ts";
import {
  STANDBY_DEED_MEANS,
  STANDBY_DRILL_STATUSES,
  STANDBY_PROBLEMS,
} from "../../../domain/operations/standby-drill.ts";
import {
  choice,
  flag,
  identifier,
  instant,
  integer,
  listOf,
  nested,
  text,
} from "../../../kernel/contract/fields.ts";

export const BreakingRecord = z.object({
  kind: choice(["alert", "integration", "broadcast", "team"], "What it is.", "alert"),
  prefix_id: text("Its identifier.", "alt_Hq3mZ0bnS1eQXw"),
  name: text(
    "Its name or title; null by `GET /ready?details`, which belongs to no account.",
    "Disk full",
  ).nullable(),
});
export type BreakingRecord = z.output<typeof BreakingRecord>;

export const DeploymentInvariant = z.object({
  invariant: text("Its name in logs and metrics.", "timer_runs"),
  expected: text("What is true unless it is broken.", "Every team has somebody on call."),
  broken_since: instant(
    "When an audit found it to be broken; null while it holds.",
    null,
  ).nullable(),
  count: integer("How many records of the whole deployment break it.", 0),
  records: listOf(
    BreakingRecord,
    "The account's records that break it; by `GET /ready?details` those of all accounts.",
    [],
  ),
  causes: listOf(
    z.string(),
    "What breaks it where that is no record: providers, channels, kinds of objects.",
    [],
  ),
  runbook: text("The path of the manual's page that says what to do.", "/docs/runbook/timer_runs"),
});
export type DeploymentInvariant = z.output<typeof DeploymentInvariant>;

export const DeploymentProvider = z.object({
  channel: text("The channel.", "sms"),
  provider: text("The provider.", "twilio"),
  broken_since: instant("When it was found to be broken; null: it works.", null).nullable(),
  cause: text("What is wrong, in words.", null).nullable(),
  accepted_at: instant("When it last accepted a message.").nullable(),
  failed_at: instant("When it last did not accept one, since then.", null).nullable(),
  asked_at: instant("When it was last asked for proof of its key and credit.").nullable(),
});

export const DeploymentHeartbeat = z.object({
  configured: flag("Whether the deployment has a `HEARTBEAT_URL`.", true),
  sent_at: instant("When it was last called.").nullable(),
  failed_at: instant("When a call last failed.", null).nullable(),
  withheld_at: instant(
    "When the call was last left out, because an invariant was broken.",
    null,
  ).nullable(),
});

export const DeploymentDatabase = z
  .object({
    bytes: integer("Its size.", 48_000_000),
    used_percent: integer("How much of its limit that is.", 1),
  })
  .nullable();

export const DeploymentLimits = z
  .object({
    nearest: text("The limit that ends first.", "D1 rows written"),
    used_percent: integer("How much of it is used today, as estimated.", 12),
    used_up: listOf(z.string(), "The limits of which Cloudflare has refused more today.", []),
    paused: listOf(z.string(), "What yields to pages until the limits begin anew.", []),
    resets_at: instant("When they do."),
  })
  .nullable();

export const StandbyDrill = z.object({
  standby_url: text("The standby's own address.", "https://standby.example.com").nullable(),
  status: choice(
    STANDBY_DRILL_STATUSES,
    "How it goes on, or ended: `acknowledged`; `not_acknowledged` within an hour or by anybody on the policy's layers; `failed`, the standby could page nobody.",
    "acknowledged",
  ),
  team_id: identifier("team", "The team; null until it has started.").nullable(),
  started_by_id: identifier(
    "account_user",
    "The admin who asked for it; null: it was due.",
  ).nullable(),
  started_at: instant("When it began."),
  ended_at: instant("When it ended; null while it goes on.", null).nullable(),
  acknowledged_by_id: identifier("account_user", "Who acknowledged it.").nullable(),
});
export type StandbyDrill = z.output<typeof StandbyDrill>;

export const StandbyDeed = z.object({
  standby_url: text("The standby's own address.", "https://standby.example.com").nullable(),
  at: instant("When."),
  order: choice(STANDBY_ORDERS, "What it did.", "take_over"),
  by: choice(
    STANDBY_DEED_MEANS,
    "By which means: `itself`; `command`, `npm run standby`; the `link` of its message; or an `sms`.",
    "itself",
  ),
  account_user_id: identifier(
    "account_user",
    "The admin who answered by link or SMS; null also for one of another account.",
  ).nullable(),
});
export type StandbyDeed = z.output<typeof StandbyDeed>;

export const DeploymentStandby = z
  .object({
    url: text("Its address; null at the standby itself.", "https://standby.example.com").nullable(),
    snapshot_at: instant("When it last pulled a snapshot; null: never.").nullable(),
    active: flag("Whether it has taken over; at the primary, as it said last.", false),
    drills: listOf(StandbyDrill, "The last drill of the account through each standby."),
    drill_requested_at: instant(
      "When an admin asked for a drill that the standby has not started yet; null: nobody did.",
      null,
    ).nullable(),
    deeds: listOf(StandbyDeed, "When it took over and stood down lately, the latest first."),
    drill_problem: choice(
      STANDBY_PROBLEMS,
      "Why the drills do not prove that the standby pages: `not_drilled` for 40 days, `not_acknowledged` or `failed` the last time; null: they do, or the first one is to come.",
      null,
    ).nullable(),
  })
  .nullable();

export const Deployment = z.object({
  audited_at: instant(
    "When the latest audit began; null if none did, or the object that audits does not answer.",
  ).nullable(),
  invariants: listOf(DeploymentInvariant, "Everything that is audited."),
  heartbeat: nested(DeploymentHeartbeat, "The calls that say that all is well."),
  providers: listOf(DeploymentProvider, "The providers of each channel."),
  database: nested(DeploymentDatabase, "The database, as the latest audit measured it."),
  daily_limits: nested(
    DeploymentLimits,
    "On Cloudflare's free plan: how much of a day's limits is used.",
  ),
  standby: nested(DeploymentStandby, "The standby; null if there is none, or it cannot be read."),
});
export type Deployment = z.output<typeof Deployment>;
