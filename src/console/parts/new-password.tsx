// The two fields of a new password, and what one has to be.
import { type Refusal, refuse } from "../../domain/refusal.ts";
import { TextField } from "./form.tsx";

const LEAST = 12;
const MOST = 256;

export const NewPasswordFields = ({ refusal }: { readonly refusal: Refusal | null }) => (
  <>
    <TextField
      name="password"
      label="New password"
      type="password"
      autocomplete="new-password"
      minlength={LEAST}
      maxlength={MOST}
      help={`At least ${LEAST} characters. A few words that only you would put together do well.`}
      refusal={refusal}
      required
    />
    <TextField
      name="again"
      label="The same again"
      type="password"
      autocomplete="new-password"
      refusal={refusal}
      required
    />
  </>
);

/** Why a password will not do, else null. */
export function passwordFault(password: string, again: string): Refusal | null {
  if ([...password].length < LEAST) {
    return refuse("invalid", `needs at least ${LEAST} characters`, "password");
  }
  if (password.length > MOST)
    return refuse("invalid", `has at most ${MOST} characters`, "password");
  if (/^(.{1,3})\1+$/su.test(password)) {
    return refuse("invalid", "is the same few characters again and again", "password");
  }
  return password === again ? null : refuse("invalid", "is not the same", "again");
}
