// The parameters of an account user: the person, their roles and teams (contract 2, Account users).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";
import {
  ABOUT_EMAILS,
  emailsAttributes,
  invitationParameters,
  personParameters,
} from "../users/parameters.ts";

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
  readiness_digest: field.optionalFlag,
  time_zone: personParameters.time_zone.meta({
    description: "A name that `GET /events/time_zones` lists, or an IANA zone.",
  }),
  preferred_language: personParameters.preferred_language.meta({ description: "A language tag." }),
};

const neededEmails = z
  .preprocess((value) => value ?? [], emailsAttributes)
  .refine((entries) => entries.length > 0, "must have at least one e-mail address")
  .meta(ABOUT_EMAILS);

const THE_PERSON = { description: "The person." };

export const CreateAccountUser = z
  .object({
    ...membershipParameters,
    ...invitationParameters,
    user_attributes: z
      .preprocess(
        (value) => value ?? {},
        z.object(
          { ...userParameters, name: field.requiredText(255), emails_attributes: neededEmails },
          "must be an object",
        ),
      )
      .meta(THE_PERSON),
  })
  .meta({ inExample: ["invite"] });
export type CreateAccountUser = z.output<typeof CreateAccountUser>;

export const UpdateAccountUser = z.object({
  ...membershipParameters,
  user_attributes: z.object(userParameters, "must be an object").meta(THE_PERSON).nullish(),
});
export type UpdateAccountUser = z.output<typeof UpdateAccountUser>;

/** The most people of one import: each takes some fifteen statements, of a thousand in a request. */
export const MOST_IMPORTED = 50;

const importedPerson = z.object(
  {
    email: z.string({ error: "must be a string" }).meta({ maxLength: 254 }),
    name: field.optionalText(255),
  },
  "must be an object",
);

export const ImportAccountUsers = z
  .object({
    people: field
      .recordList(importedPerson, MOST_IMPORTED)
      .refine((people) => people.length > 0, "must have at least one person")
      .meta({
        description: `The people to add, at most ${MOST_IMPORTED}. Without a \`name\`, the part of the address before the @.`,
        example: [{ email: "ada@example.com", name: "Ada Lovelace" }],
      }),
    roles: roles.nullish(),
    member_team_ids: field.identifiers.optional(),
    notification_rule_id: field.identifier,
    ...invitationParameters,
  })
  .meta({ about: "AccountUser" });
export type ImportAccountUsers = z.output<typeof ImportAccountUsers>;
