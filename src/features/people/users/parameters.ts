// The parameters of a user (contract 2, Users).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";
import { emailAddress, invitationParameters, personParameters } from "./person-parameters.ts";

export const CreateUser = z
  .object({
    ...personParameters,
    ...invitationParameters,
    name: field.requiredText(255),
    email: emailAddress,
  })
  .meta({ inExample: ["phones_attributes", "invite"] });
export type CreateUser = z.output<typeof CreateUser>;

export const UpdateUser = z.object(personParameters).meta({ inExample: ["name", "email"] });
export type UpdateUser = z.output<typeof UpdateUser>;
