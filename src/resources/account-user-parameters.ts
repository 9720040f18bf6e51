// What a request may say of an account user: the person it is, their roles and teams (contract 2, Account users).
import * as z from "zod";
import type { Reference } from "../db/references.ts";
import * as field from "../http/fields.ts";
import { emailsAttributes } from "./contacts.ts";
import { invitationParameters, type PersonParameters, personParameters } from "./people.ts";

// ── Shape ──

const { email: _email, meta: _meta, ...userParameters } = personParameters;

const roles = z.object(
  {
    admin: field.optionalFlag,
    billing: field.optionalFlag,
    broadcaster: field.optionalFlag,
    communicator: field.optionalFlag,
  },
  "must be an object of booleans",
);

const membershipParameters = {
  roles: roles.nullish(),
  member_team_ids: field.identifiers.optional(),
  team_ids: field.identifiers.optional(),
  notification_rule_id: field.identifier,
  meta: field.hash.optional(),
  time_zone: personParameters.time_zone,
  preferred_language: personParameters.preferred_language,
};

const neededEmails = z
  .preprocess((value) => value ?? [], emailsAttributes)
  .refine((entries) => entries.length > 0, "must have at least one e-mail address");

export const createAccountUser = z.object({
  ...membershipParameters,
  ...invitationParameters,
  user_attributes: z.preprocess(
    (value) => value ?? {},
    z.object(
      { ...userParameters, name: field.requiredText(255), emails_attributes: neededEmails },
      "must be an object",
    ),
  ),
});

export const updateAccountUser = z.object({
  ...membershipParameters,
  user_attributes: z.object(userParameters, "must be an object").nullish(),
});
export type AccountUserParameters = z.output<typeof updateAccountUser>;

// ── Rules ──

/** Which of the two names of the teams the caller wrote. */
export const teamsField = (body: AccountUserParameters) =>
  body.member_team_ids === undefined ? "team_ids" : "member_team_ids";

export function referencesOf(body: AccountUserParameters): Reference[] {
  const rule = body.notification_rule_id;
  const name = teamsField(body);
  return [
    { field: name, kind: "team", ids: body[name] ?? [] },
    { field: "notification_rule_id", kind: "notification_rule", ids: rule ? [rule] : [] },
  ];
}

/** What the parameters say of the person; null when nothing. */
export function personOf(body: AccountUserParameters): PersonParameters | null {
  const { user_attributes: given, time_zone, preferred_language } = body;
  const parameters = {
    ...given,
    time_zone: given?.time_zone ?? time_zone,
    preferred_language: given?.preferred_language ?? preferred_language,
  };
  return Object.values(parameters).some((value) => value !== undefined) ? parameters : null;
}

/** Whether the parameters change the membership itself, not only the person. */
export const changesMembership = (body: AccountUserParameters) =>
  [body.roles, body.member_team_ids, body.team_ids, body.notification_rule_id, body.meta].some(
    (value) => value !== undefined,
  );
